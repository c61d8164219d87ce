/**
 * The words behind the lists of most used passwords. A list of ten thousand passwords is mostly these words with
 * capitals, look-alike letters and a tail of digits or symbols, so a password is undone to its word first.
 */
const words = new Set(
  `password passwd passw0rd pass admin administrator root user guest test testing demo login welcome letmein changeme default secret
  master super superman superuser system service server manager operator support public private access temp temporary
  qwerty qwertyuiop qwertyui qwert qwer asdfghjkl asdfgh asdf zxcvbnm zxcvbn zxcv qazwsx qazwsxedc qaz wsx edc qwaszx zaq xsw
  qweasd qweasdzxc qwezxc asdzxc adgjmp zaqxsw cdevfr poiuytrewq lkjhgfdsa mnbvcxz azerty dvorak
  abc abcd abcdef abcdefg abcdefgh aaa aaaa abcabc xyz abcqwe iloveyou iloveu loveyou love lovely woaini woaiwojia aini
  woaini iaini nihao nishishui wodemima mima zhanghao dengluma guanliyuan mimamima caonima shabi wohenhao
  zhangwei wangwei lina zhangmin lijing wangfang liwei wangjing zhangli liuyang zhanglei wangli wangyan chenjing limei xiaoming
  xiaohong zhangsan lisi wangwu zhaoliu china zhongguo beijing shanghai guangzhou shenzhen hangzhou nanjing chengdu wuhan tianjin
  qq weixin taobao alibaba tencent huawei xiaomi baidu jingdong
  dragon monkey shadow sunshine princess football baseball basketball soccer hockey jordan michael jennifer michelle jessica
  ashley daniel thomas robert charlie andrew matthew joshua george anthony william hunter ranger buster killer pepper ginger
  cookie summer winter autumn spring monday friday freedom whatever starwars batman spiderman pokemon naruto matrix computer
  internet google facebook apple samsung microsoft windows linux oracle mysql postgres cisco hello helloworld world
  hospital doctor patient health medical insurance company office business money bank account finance
  trustno flower purple orange yellow silver golden diamond crystal angel heaven lucky happy smile forever family mother father
  baby angelina nicole amanda samantha elizabeth alexander benjamin jackson austin london paris newyork chelsea liverpool arsenal
  ferrari porsche mercedes bmw toyota honda harley corvette mustang tiger lion eagle phoenix falcon wolf panda rabbit kitty
  january february march april june july august september october november december qwerasdf asdfqwer zxcvasdf
  loveme fuckyou fuckoff biteme asshole bitch sexy hottie playboy cheese chocolate banana cherry peanut pumpkin
  a q w p x z aa qq ww abcde abcdefghi abcdefghij qwerty qwe asd zxc wasd`.split(/\s+/),
);

const lookAlike: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '3': 'e',
  $: 's',
  '5': 's',
  '1': 'i',
  '!': 'i',
  '7': 't',
};

/** Whether a password is one of the common ones: a common word, look-alike letters and a tail of digits and symbols undone. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  const core = lower.replace(/^[^a-z@$]+/, '').replace(/[^a-z]+$/, '');
  const plain = (text: string) => text.replace(/./gs, (letter) => lookAlike[letter] ?? letter);
  const halves = /^(.{2,})\1+$/s.exec(core)?.[1];
  return (
    [core, plain(core), plain(core).replace(/i/g, 'l'), core.replace(/[^a-z]/g, ''), halves ?? ''].some(
      (text) => text !== '' && words.has(text),
    ) || !/[a-z]/.test(lower)
  );
}
