import type { ReactNode } from 'react'

/** Ticked, not ticked, or ticked for some. */
export type Mixed = boolean | 'mixed'

/** A checkbox for many things at once. What is mixed stays so until it is touched, and can be made so again. */
export function MixedBox({
  value,
  initial,
  onChange,
  children,
}: {
  value: Mixed
  initial: Mixed
  onChange(value: Mixed): void
  children: ReactNode
}) {
  const next: Mixed = value === 'mixed' ? true : value ? false : initial === 'mixed' ? 'mixed' : true
  return (
    <label>
      <input
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = value === 'mixed'
        }}
        checked={value === true}
        onChange={() => onChange(next)}
      />
      {children}
    </label>
  )
}
