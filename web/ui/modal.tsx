import { Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { createStore, useStore } from '../store.ts'
import { useBackCloses } from './use-back-closes.ts'
import './dialogs.css'

/** A dialog; on a phone Back closes it. With words typed into it, only its buttons do. */
export function Modal({
  closeOnBack = true,
  holdsWords = false,
  ...props
}: ModalProps & { closeOnBack?: boolean; holdsWords?: boolean }) {
  const isTop = useIsTop(props.opened)
  useBackCloses(props.opened, closeOnBack && !holdsWords ? props.onClose : null)
  return (
    <MantineModal
      closeOnClickOutside={!holdsWords}
      {...props}
      closeOnEscape={isTop && !holdsWords && (props.closeOnEscape ?? true)}
    />
  )
}

const opened = createStore<symbol[]>([])

/** Of several that lie over each other, Escape closes the uppermost. */
function useIsTop(isOpened: boolean): boolean {
  const [me] = useState(() => Symbol())
  useEffect(() => {
    if (!isOpened) return
    opened.set([...opened.get(), me])
    return () => opened.set(opened.get().filter((other) => other !== me))
  }, [isOpened, me])
  return useStore(opened, (all) => all.at(-1) === me)
}
