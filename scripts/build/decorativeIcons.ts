import type { Plugin } from 'vite';

const SAYS_ITS_NAME = /role: "img",\s*"aria-label": icon\.name/;

/**
 * Icons stand beside words or inside buttons that have a name; their own English file names are nothing to read out.
 * An icon that is given a label keeps it.
 */
export const decorativeIcons = (): Plugin => ({
  name: 'decorative-icons',
  transform: {
    filter: { id: /@ant-design\/icons\/.*\/AntdIcon\.js/ },
    handler(code) {
      if (!SAYS_ITS_NAME.test(code)) throw new Error('the icons of @ant-design/icons are labelled in another way than before');
      return code.replace(SAYS_ITS_NAME, '...(restProps["aria-label"] ? { role: "img" } : { "aria-hidden": true })');
    },
  },
});
