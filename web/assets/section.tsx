import { type ReactNode, useId } from 'react'

/** One heading of the details panel with what stands below it. */
export function Section({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="details-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
      {hint && <p className="details-hint">{hint}</p>}
    </section>
  )
}
