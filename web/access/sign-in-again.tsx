// Agreed: `SignInAgain` takes no props. The router shows it over the page while a session has ended
// (`useSessionExpired`). After a successful login call `sessionExpiry.signedIn()` of ../session-expiry.ts: every
// request that met the 401 then repeats itself, and the modal goes. The e-mail is `useMe()!.email`, not editable.
export const SignInAgain = () => null
