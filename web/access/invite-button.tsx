import { ActionIcon, Tooltip } from '@mantine/core'
import { Send } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { User } from '../../contract/access.ts'
import { dialogTitle } from '../ui/dialog-title.ts'
import { Modal } from '../ui/modal.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { toast } from '../ui/toast.tsx'
import { useProblemText } from '../words/problem-text.ts'
import { useInvite } from './access.ts'

/** Sends somebody a link to choose a password with, or shows it to be handed over. */
export function InviteButton({ user: { userId, name } }: { user: User }) {
  const t = useTranslations('access.users')
  const problemText = useProblemText()
  const invite = useInvite()
  const link = invite.data?.link

  function send() {
    invite.mutate(userId, {
      onSuccess: ({ sentTo }) => {
        if (sentTo) toast({ about: userId, text: t('invited', { email: sentTo }) })
      },
      onError: (error) => toast({ about: userId, text: problemText(error), bad: true }),
    })
  }

  return (
    <>
      <Tooltip label={t('invite', { name })}>
        <ActionIcon aria-label={t('invite', { name })} loading={invite.isPending} onClick={send}>
          <Send size={16} />
        </ActionIcon>
      </Tooltip>
      {link && (
        <Modal
          opened
          onClose={invite.reset}
          withCloseButton={false}
          closeOnClickOutside={false}
          closeOnEscape={false}
          title={t('invitedTitle', { name })}
          styles={dialogTitle}
        >
          <ShownOnce text={t('invitedText', { name })} secret={link} onDone={invite.reset} />
        </Modal>
      )}
    </>
  )
}
