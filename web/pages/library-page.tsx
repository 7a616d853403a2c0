import { WholePage } from '../ui/whole-page.tsx'

export const AdminLibraryPage = () => <WholePage title="Assets" />
export const PortalLibraryPage = () => <WholePage title="Assets" />
