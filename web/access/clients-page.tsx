import { WholePage } from '../ui/whole-page.tsx'

// Agreed: `ClientsPage` takes no props; the router shows it. Words live under `access` in words/en.ts and words/de.ts.
export const ClientsPage = () => <WholePage title="ClientsPage" />
