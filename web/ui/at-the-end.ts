/** A button that leads no further. Not `disabled`: the browser would take the focus away, and with it all keys. */
export const atTheEnd = (end: boolean) => (end ? { 'data-disabled': true, 'aria-disabled': true } : {})
