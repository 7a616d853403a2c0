import { Notifications } from '@mantine/notifications'

export const ToastCorner = () => <Notifications position="bottom-center" limit={3} zIndex={280} />
