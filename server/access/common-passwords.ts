/** Well-known passwords that are long enough to pass the length rule. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 111111111111 000000000000
  121212121212 123123123123 112233445566 123456123456 123456654321 987654321012 password1234 password12345
  password123456 passwordpassword password123! mypassword123 mypassword1234 adminadmin12 adminadminadmin
  administrator administrator1 admin1234567 admin12345678 qwertyuiop12 qwertyuiop123 qwertyuiop[] qwertyqwerty
  qwerty123456 qwerty1234567 qwerty12345678 qwertyuiopas qwertyuiopasdf 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc
  1qaz2wsx3edc4rfv zaq12wsxcde3 asdfghjkl123 asdfghjkl1234 asdfasdfasdf zxcvbnm12345 abcdefghijkl abcdefghijklm
  abcdefghijklmnopqrstuvwxyz abcdef123456 abcd12345678 abc123abc123 aaaaaaaaaaaa letmeinletmein letmein12345
  welcome12345 welcome123456 iloveyou1234 iloveyou12345 iloveyouforever trustno1trustno1 changeme1234 changemechangeme
  changeme12345 correcthorsebatterystaple football1234 baseball1234 basketball12 liverpoolfc1 manchesterunited
  manchester12 unbelievable christopher1 christopher12 jonathan1234 internet1234 computer1234 princess1234
  sunshine1234 superman1234 spiderman123 starwars1234 pokemon12345 michael12345 jessica12345 jordan123456
  monkey123456 dragon123456 master123456 shadow123456 secret123456 summer2024!! winter2024!! summer2025!!
  winter2025!! summer2026!! winter2026!! company12345 marketing123 marketing1234 testtesttest test12345678
  test123456789 guest1234567 default12345 temporary123 temppassword1 p@ssw0rd1234 p@ssword1234 passw0rd1234
  pa$$word1234 qazwsxedcrfv qazwsxedc123 mustang12345 whatever1234 blink182blink cheese123456 hello1234567
  hello12345678 helloworld12 helloworld123 google123456 facebook1234 linkedin1234 samsung12345 apple1234567
  batman123456 ashley123456 bailey123456 killer123456 hunter123456 tigger123456 soccer123456 george123456
  charlie12345 andrew123456 thomas123456 robert123456 daniel123456 matthew12345 jennifer1234 michelle1234
  123qweasdzxc q1w2e3r4t5y6 mailcreated5240 123456qwerty
  polniypizdec0211 sojdlg123aljg leavemealone motherfucker gfhjkmgfhjkm ghjcnjgfhjkm zxcasdqwe123 sonyericsson
  ghhh47hj7649 123456789qwe 1qazxsw23edc masterbating qwerasdfzxcv qweasdzxc123 flvbybcnhfnjh`.split(/\s+/),
)
