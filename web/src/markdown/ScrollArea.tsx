// A part of a text that scrolls by itself, and can be reached by the keyboard for that.
import type { ReactNode, Ref } from 'react'

interface ScrollAreaProps {
  ref?: Ref<HTMLDivElement> | undefined
  label: string
  className: string | undefined
  children: ReactNode
  'data-part'?: string
}

/** A group and not a region: there may be many of these, and landmarks are for the page. */
export function ScrollArea({ label, ...rest }: ScrollAreaProps) {
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
  return <div {...rest} role="group" aria-label={label} tabIndex={0} />
}
