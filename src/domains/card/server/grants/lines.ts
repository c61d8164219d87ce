import { plusDays, type Day } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { hasIdForm, isIdNumber, maskIdNo } from '#domains/patient/contract/idNumber.ts';
import { idNoHash, mobileColumns } from '#domains/patient/server/index.ts';
import type { GrantWish } from '../../contract/calls/grants.ts';
import { own } from '../database.ts';

/** Whether the number can be one of its type; an identity number has the right check character too. */
export const isPossibleIdNo = (idType: string, idNo: string): boolean => hasIdForm(idType, idNo) && (idType !== 'ID' || isIdNumber(idNo));

/** Value that is to come waits at most so long. */
const MOST_DAYS_AHEAD = 180;

/** What the days of a line must hold. @returns the field and the sentence; null when all is well */
export function faultOfDays(
  { effectiveFrom, expireOn }: Pick<GrantWish, 'effectiveFrom' | 'expireOn'>,
  today: Day,
): { field: 'effectiveFrom' | 'expireOn'; message: string } | null {
  if (effectiveFrom !== null && effectiveFrom > plusDays(today, MOST_DAYS_AHEAD))
    return { field: 'effectiveFrom', message: `生效日期不能晚于${MOST_DAYS_AHEAD}天后` };
  if (expireOn !== null && expireOn < today) return { field: 'expireOn', message: '失效日期不能早于今天' };
  if (expireOn !== null && effectiveFrom !== null && expireOn < effectiveFrom)
    return { field: 'expireOn', message: '失效日期不能早于生效日期' };
  return null;
}

export const tidyIdNo = (idNo: string): string => idNo.trim().toUpperCase();

/** A line as it is stored: numbers of persons under the key, beside their hash and their mask. */
export function lineColumns(secrets: Secrets, { idNo, mobile, amount, bonus, ...rest }: GrantWish) {
  const number = tidyIdNo(idNo);
  return {
    ...rest,
    idNoCipher: secrets.encrypt(number),
    idNoHash: idNoHash(secrets, number),
    idNoMasked: maskIdNo(number),
    ...mobileColumns(secrets, mobile),
    amount: String(amount),
    bonus: String(bonus),
  };
}

/** Serial numbers of the lines' source that a grant of this card type carries already. */
export async function grantedSerials(db: Db | Tx, cardTypeId: string, serials: readonly string[]): Promise<Set<string>> {
  if (serials.length === 0) return new Set();
  const rows = await own(db)
    .selectFrom('cardGrantLine')
    .select('outerSerialNo')
    .where('cardTypeId', '=', cardTypeId)
    .where('outerSerialNo', 'in', [...serials])
    .execute();
  return new Set(rows.flatMap(({ outerSerialNo }) => outerSerialNo ?? []));
}
