/** A policy number as it is compared: upper case, half width, without blanks. */
export const normalPolicyNo = (text: string): string =>
  text
    .replaceAll(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll(/[\s\u3000]/g, '')
    .toUpperCase();
