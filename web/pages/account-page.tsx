import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { IdentitiesSection } from '../account/identities-section.tsx'
import { OwnAgents } from '../account/own-agents.tsx'
import { PasswordForm } from '../account/password-form.tsx'
import { ProfileForm } from '../account/profile-form.tsx'
import { SecondFactorSection } from '../account/second-factor-section.tsx'
import { SessionList } from '../account/session-list.tsx'
import { NotificationSettings } from '../notifications/settings-section.tsx'
import { doorOf, useMe } from '../session.ts'
import { toast } from '../ui/toast.tsx'
import { AdminFrame } from './admin-frame.tsx'

const route = getRouteApi('/inside/account')

/** What people look after themselves. While something is pending, that and nothing else. */
export function AccountPage() {
  const t = useTranslations('account')
  const router = useRouter()
  const { to } = route.useSearch()
  const me = useMe()
  if (!me) return null
  if (me.pending === 'password')
    return (
      <AdminFrame title={t('firstTitle')} lead={t('firstLead')}>
        <PasswordForm
          lead={t('firstHint')}
          onChanged={(changed) => router.navigate({ to: doorOf(changed, to), replace: true })}
        />
      </AdminFrame>
    )
  if (me.pending === 'second-factor')
    return (
      <AdminFrame title={t('factorTitle')} lead={t('factorLead')}>
        <SecondFactorSection lead={t('factorHint')} />
      </AdminFrame>
    )
  return (
    <AdminFrame title={t('title')} lead={t('lead')}>
      <ProfileForm me={me} />
      <PasswordForm
        lead={t('passwordLead')}
        onChanged={() => toast({ about: 'account', text: t('passwordChanged') })}
      />
      <NotificationSettings />
      <SecondFactorSection />
      <IdentitiesSection />
      <SessionList />
      <OwnAgents me={me} />
    </AdminFrame>
  )
}
