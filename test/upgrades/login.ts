/** Who made every fixture. */
export const login = { email: 'admin@example.com', password: 'correct-horse-battery' }
