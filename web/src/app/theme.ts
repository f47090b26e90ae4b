// Light, dark, or as the system says. Kept in the browser.
export const THEMES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const STORED = 'holdfast.theme'

export function storedTheme(): Theme {
  const stored = localStorage.getItem(STORED)
  return THEMES.find((theme) => theme === stored) ?? 'auto'
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme)
  applyTheme(theme)
}

export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
