/** A button that does nothing for now. Not `disabled`: the browser would take the focus away, and with it all keys. */
export const unavailable = (is: boolean) => (is ? { 'data-disabled': true, 'aria-disabled': true } : {})
