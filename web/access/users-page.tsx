import { WholePage } from '../ui/whole-page.tsx'

// Agreed: `UsersPage` takes no props; the router shows it. Words live under `access` in words/en.ts and words/de.ts.
export const UsersPage = () => <WholePage title="UsersPage" />
