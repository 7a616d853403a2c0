/** Puts words into the clipboard, also on plain http, where browsers have only the old way. False if it did not work. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyTheOldWay(text)
  }
}

function copyTheOldWay(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.setAttribute('aria-hidden', 'true')
  field.style.cssText = 'position: fixed; opacity: 0'
  // Beside what has the focus: a dialog takes the focus back from outside.
  const place = focused?.closest('[role="dialog"]') ?? document.body
  place.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return done
}
