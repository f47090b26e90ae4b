// Whether this browser shows notifications: its own permission, and our switch beside it.
const STORED = 'holdfast.notifications'

export function canNotify(): NotificationPermission | 'unsupported' {
  return 'Notification' in window ? Notification.permission : 'unsupported'
}

export function wantsNotifications(): boolean {
  return localStorage.getItem(STORED) === 'on'
}

/** Asks the browser's permission only when somebody switches it on, and leaves it off if that is refused. */
export async function setNotifying(on: boolean): Promise<void> {
  const isAllowed = on && (await Notification.requestPermission()) === 'granted'
  localStorage.setItem(STORED, isAllowed ? 'on' : 'off')
}
