import { mask } from '#kernel/contract/masking.ts';
import { mobileColumnsBy } from '#kernel/server/sensitive/mobileColumns.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';

export const buyerNameHash = (secrets: Secrets, name: string): string => secrets.blindIndex('order.buyerName', name);
export const buyerMobileHash = (secrets: Secrets, mobile: string): string => secrets.blindIndex('order.buyerMobile', mobile);
const mobileColumns = mobileColumnsBy(buyerMobileHash);

export function buyerColumns(secrets: Secrets, { name, mobile }: { name: string; mobile: string }) {
  const { mobileCipher, mobileHash, mobileMasked } = mobileColumns(secrets, mobile);
  return {
    buyerNameCipher: secrets.encrypt(name),
    buyerNameHash: buyerNameHash(secrets, name),
    buyerNameMasked: mask('name', name),
    buyerMobileCipher: mobileCipher,
    buyerMobileHash: mobileHash,
    buyerMobileMasked: mobileMasked,
  };
}

export interface Receiver {
  receiverName: string;
  receiverMobile: string;
  adcode: string;
  addressDetail: string;
  lng: number | null;
  lat: number | null;
}
/** Where a parcel goes; the hash tells one door from another without saying where it is. */
export const receiverColumns = (secrets: Secrets, { receiverName, receiverMobile, adcode, addressDetail, lng, lat }: Receiver) => ({
  receiverNameCipher: secrets.encrypt(receiverName),
  receiverNameMasked: mask('name', receiverName),
  receiverMobileCipher: secrets.encrypt(receiverMobile),
  receiverMobileMasked: mask('mobile', receiverMobile),
  adcode,
  addressCipher: secrets.encrypt(addressDetail),
  addressMasked: mask('address', addressDetail),
  addressHash: secrets.blindIndex('order.address', `${adcode}${addressDetail.replaceAll(/\s/g, '')}`),
  lng,
  lat,
});
