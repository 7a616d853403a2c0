/** Two hundred titles that try to lead an unpacking program astray. */
export const hostileTitles: string[] = Array.from({ length: 200 }, (_, number) => {
  const tricks = [
    `${'../'.repeat(number % 9)}etc/passwd`,
    `/tmp/absolute-${number}`,
    `C:\\Windows\\${number}.dll`,
    '..\\..\\boot.ini',
    `line\r\nbreak${number}`,
    `photo\u202egpj.${number}`,
    `COM${number % 10}.txt`,
    `${'very long '.repeat(18)}${number}.jpeg`,
    `trailing dots ${number} . . .`,
    'Same.jpg',
    'same.JPG',
    '..',
    `%2e%2e%2f${number}`,
    '~root/.ssh/authorized_keys',
    `$(touch owned)${number};\`reboot\``,
    `-rf ${number}`,
    `file:///etc/${number}`,
    `${'🦩'.repeat(190)}${number}`,
    `e${'\u0301'.repeat(150)}${number}`,
    `a:b*c?"<>|${number}`,
  ]
  return tricks[number % tricks.length]!
})
