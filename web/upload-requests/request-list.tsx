import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { UploadRequest } from '../../contract/upload-requests.ts'
import { ConfirmRemoval } from '../ui/confirm.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { RequestCard } from './request-card.tsx'
import { useRevokeUploadRequest, useUploadRequests } from './upload-requests.ts'

/** The links by which people without an account send files; nothing while there are none. */
export function UploadRequests() {
  const t = useTranslations('uploadRequests')
  const list = useUploadRequests()
  const revoke = useRevokeUploadRequest()
  const [revoking, setRevoking] = useState<UploadRequest | null>(null)
  const requests = list.data?.pages.flatMap(({ uploadRequests }) => uploadRequests) ?? []
  if (requests.length === 0) return null
  return (
    <section aria-labelledby="upload-requests">
      <h2 id="upload-requests" className="guest-links-title">
        {t('listTitle')}
      </h2>
      <ul className="cards">
        {requests.map((request) => (
          <RequestCard
            key={request.uploadRequestId}
            request={request}
            onRevoke={() => setRevoking(request)}
          />
        ))}
      </ul>
      <ShowMore list={list} />
      {revoking && (
        <ConfirmRemoval
          title={t('revokeTitle', { title: revoking.title })}
          text={t('revokeText')}
          button={t('revoke')}
          remove={revoke}
          what={revoking}
          removed={t('revoked', { title: revoking.title })}
          onClose={() => setRevoking(null)}
        />
      )}
    </section>
  )
}
