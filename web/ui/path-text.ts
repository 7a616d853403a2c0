/** The way to a folder. Among names that are read from left to right, one written from right to left would change places with others. */
export const pathText = (steps: string[]) => steps.map(isolated).join(' / ')

const isolated = (name: string) => (/[\u0590-\u08ff\ufb1d-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name)
