// A box that is as tall as its text; its bound is set by CSS.
import { type RefObject, useLayoutEffect } from 'react'

export function useGrowing(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what makes it grow
  useLayoutEffect(() => {
    const element = box.current
    // Browsers that can do it by themselves do it without a layout for each key.
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`
  }, [box, text])
}
