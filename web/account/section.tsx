import { type FormEvent, type ReactNode, useId } from 'react'
import './account.css'

/** One thing a person looks after: what it is called, why, and the fields or the list. */
export function Section({
  title,
  lead,
  onSubmit,
  children,
}: {
  title: string
  lead?: string
  onSubmit?(event: FormEvent): void
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className="account-section" aria-labelledby={id}>
      <div className="account-words">
        <h3 id={id}>{title}</h3>
        {lead && <p>{lead}</p>}
      </div>
      {onSubmit ? (
        <form className="account-fields" onSubmit={onSubmit} noValidate>
          {children}
        </form>
      ) : (
        <div className="account-fields">{children}</div>
      )}
    </section>
  )
}
