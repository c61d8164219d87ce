import type { Plugin } from 'vite';

/** What the components say to readers of the screen, in English and without a setting for it. */
const TEXTS: readonly (readonly [file: RegExp, pairs: readonly (readonly [said: RegExp, instead: string])[]])[] = [
  // Icons stand beside words or inside buttons that have a name; an icon that is given a label keeps it.
  [
    /@ant-design\/icons\/es\/components\/AntdIcon(Light)?\.js$/,
    [[/role: "img",\s*"aria-label": icon\.name/, '...(restProps["aria-label"] ? { role: "img" } : { "aria-hidden": true })']],
  ],
  [/@rc-component\/segmented\/es\/index\.js$/, [[/"segmented control"/, '"分段选择"']]],
  [/@rc-component\/select\/es\/hooks\/useAllowClear\.js$/, [[/'Clear'/, "'清除'"]]],
  [
    /@rc-component\/input-number\/es\/StepHandler\.js$/,
    [
      [/'Increase Value'/, "'增加'"],
      [/'Decrease Value'/, "'减少'"],
    ],
  ],
];

/** Chinese for readers of the screen too. */
export const spokenTexts = (): Plugin => ({
  name: 'spoken-texts',
  transform: {
    filter: { id: TEXTS.map(([file]) => file) },
    handler(code, id) {
      let spoken = code;
      for (const [said, instead] of TEXTS.find(([file]) => file.test(id))?.[1] ?? []) {
        if (!said.test(spoken)) throw new Error(`${id} says ${said.source} in another way than before`);
        spoken = spoken.replace(said, instead);
      }
      return spoken;
    },
  },
});
