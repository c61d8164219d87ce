/** `3000 12** **** 4567`. */
export const maskCardNo = (cardNo: string): string => `${cardNo.slice(0, 4)} ${cardNo.slice(4, 6)}** **** ${cardNo.slice(12)}`;
