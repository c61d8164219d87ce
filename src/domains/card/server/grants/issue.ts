import { sql, type Selectable } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, type Actor, type PostCommand } from '#domains/ledger/server/index.ts';
import { findOrCreate } from '#domains/patient/server/index.ts';
import { cardGranted } from '#events/card.ts';
import { cardErrors } from '../../contract/errors.ts';
import { refreshCard } from '../cards/projection.ts';
import { own } from '../database.ts';
import type { CardGrantLine, CardType } from '../tables.ts';
import { termsOf } from '../types/terms.ts';
import { bonusCostOf, bonusOf, cash, committedOf, fundOf, issueContraOf, principalOf, receivableOf, unsoldOf } from '../chart.ts';
import { moveTimes } from '../use/times.ts';
import { dueOf, givesBonus, oweForGrant } from './due.ts';

const LIVE = ['ISSUED', 'ACTIVE', 'FROZEN', 'DEPLETED'] as const;
/** Without an end: a card of which the days begin with its activation has none until then. */
const FAR: Instant = '2999-12-31T16:00:00.000Z';

export type GrantLine = Selectable<CardGrantLine>;
type Type = Selectable<CardType>;

type Funding = Pick<Type, 'funder' | 'funderId' | 'productCode' | 'fundingMode'>;

/** From which account a type's value comes. */
export const sourceOf = (type: Funding) =>
  ({ PREPAID: fundOf(type), ON_GRANT: receivableOf(type), ON_USE: committedOf(type), SALE: cash })[type.fundingMode];
const platformOf = ({ productCode }: Pick<Type, 'productCode'>) => ({ funder: 'PLATFORM', funderId: null, productCode }) as const;
export const bonusSourceOf = (type: Funding) => (givesBonus(type) ? receivableOf(type) : bonusCostOf(platformOf(type)));

/**
 * One line of a grant: the holder's card of the type gets the value, or one from the stock becomes his. Called in a transaction of its
 * own; a refusal rolls all of it back and becomes the line's reason.
 * @throws Refusal SCM17022, SCM17023, SCM17002
 */
export async function issueLine(
  kernel: Kernel,
  writing: Writing,
  {
    line,
    type,
    grantId,
    grantNo,
    contractId = null,
    actor,
    now,
    traceId,
  }: {
    line: GrantLine;
    type: Type;
    grantId: string;
    grantNo: string;
    contractId?: string | null;
    actor: Actor;
    now: Instant;
    traceId: string;
  },
): Promise<string> {
  const { tx } = writing;
  const held = await own(tx)
    .selectFrom('cardCard')
    .selectAll()
    .where('cardTypeId', '=', type.id)
    .where('holderIdHash', '=', line.idNoHash)
    .where('state', 'in', [...LIVE])
    .orderBy('id')
    .forUpdate()
    .executeTakeFirst();
  const terms = termsOf(type.rules);
  if (held && (type.kind !== 'STORED_VALUE' || terms.oneCardPerPerson)) throw refuse(cardErrors.HOLDS_CARD);
  const fresh = held ? null : await takeFromStock(writing, type.id);
  const card = held ?? fresh;
  if (!card) throw refuse(cardErrors.STOCK_SHORT, { n: 1, m: 0 });
  const use = { ...writing, now, traceId };
  const ledger = ledgerOf(kernel);
  const postings: PostCommand[] = [];
  const amount = BigInt(line.amount);
  const bonus = BigInt(line.bonus);
  const pinned = termsOf((await rulesOfVersion(writing, type.id, card.ruleVersion)) ?? type.rules);
  let expireAt = card.expireAt;
  if (fresh) {
    const active = !pinned.needActivation;
    expireAt =
      pinned.validMode === 'FIXED'
        ? startOfDay(plusDays(pinned.validTo ?? '2999-12-31', 1))
        : active
          ? startOfDay(plusDays(dayOf(now), (pinned.validDays ?? 365) + 1))
          : null;
    const { patientId } = await findOrCreate(
      kernel,
      writing,
      {
        name: line.holderName,
        idType: line.idType,
        idNo: kernel.secrets.decrypt(line.idNoCipher),
        mobile: kernel.secrets.decrypt(line.mobileCipher),
      },
      'POLICY',
      now,
    );
    await own(tx)
      .updateTable('cardCard')
      .set((eb) => ({
        state: active ? 'ACTIVE' : 'ISSUED',
        patientId,
        holderName: line.holderName,
        holderIdType: line.idType,
        holderIdHash: line.idNoHash,
        holderIdMasked: line.idNoMasked,
        holderIdCipher: line.idNoCipher,
        holderMobileHash: line.mobileHash,
        holderMobileMasked: line.mobileMasked,
        holderMobileCipher: line.mobileCipher,
        policyNo: line.policyNo,
        contractId,
        issuedAt: now,
        activatedAt: active ? now : null,
        expireAt,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', card.id)
      .execute();
    const times = type.kind === 'COUPON' ? [{ benefitId: 'COUPON', times: 1 }] : pinned.benefits;
    for (const one of times) {
      await moveTimes(tx, now, {
        cardId: card.id,
        benefitId: one.benefitId,
        kind: 'GRANT',
        left: one.times,
        held: 0,
        key: `grant:${line.id}:${one.benefitId}`,
        refType: 'cardGrantLine',
        refId: line.id,
      });
    }
    const face = BigInt(fresh.faceAmount) + BigInt(fresh.bonusAmount);
    if (face > 0n) {
      postings.push({
        businessKey: `card:issue:${card.id}`,
        book: 'CARD',
        type: 'CARD_ISSUE',
        debit: [{ account: unsoldOf(card.batchId), amount: face }],
        credit: [{ account: issueContraOf(card.batchId), amount: face }],
        ref: { type: 'cardGrant', id: grantId, no: grantNo },
        actor,
      });
    }
  }
  const lotEnd = line.expireOn ? startOfDay(plusDays(line.expireOn, 1)) : expireAt;
  const granted = (part: 'p' | 'b', value: bigint): PostCommand => ({
    businessKey: `card:grant:${line.id}:${part}`,
    book: 'CARD',
    type: part === 'p' ? 'CARD_GRANT' : 'CARD_GRANT_BONUS',
    debit: [{ account: part === 'p' ? sourceOf(type) : bonusSourceOf(type), amount: value }],
    credit: [
      {
        account: part === 'p' ? principalOf(card.id) : bonusOf(card.id),
        amount: value,
        lot: { refType: 'cardGrantLine', refId: `${line.id}:${part}`, expiresAt: lotEnd },
      },
    ],
    ref: { type: 'cardGrant', id: grantId, no: grantNo },
    actor,
  });
  if (type.kind === 'STORED_VALUE') {
    for (const ref of [principalOf(card.id), bonusOf(card.id)]) await ledger.openAccount(use, ref, { ownerName: line.holderName });
    await ledger.openAccount(use, sourceOf(type), { ownerName: type.funderName });
    await ledger.openAccount(use, bonusSourceOf(type), { ownerName: givesBonus(type) ? type.funderName : '平台' });
    await oweForGrant(tx, {
      cardTypeId: type.id,
      key: `grant:${line.id}`,
      sourceNo: `${grantNo}-${line.rowNo}`,
      amount: dueOf(type, { principal: amount, bonus }),
      at: now,
    });
    if (amount > 0n) postings.push(granted('p', amount));
    if (bonus > 0n) postings.push(granted('b', bonus));
  }
  if (postings.length > 0) await ledger.postMany(use, postings);
  if (type.kind === 'STORED_VALUE') {
    const made = await ledger.lotsOf(tx, 'CARD', { type: 'cardAccount', id: card.id });
    const lots = made.filter(({ refId }) => refId === `${line.id}:p` || refId === `${line.id}:b`);
    if (lots.length > 0) {
      await own(tx)
        .insertInto('cardLot')
        .values(
          lots.map((lot) => {
            const principal = lot.refId.endsWith(':p');
            return {
              lotId: lot.id,
              cardId: card.id,
              kind: principal ? ('PRINCIPAL' as const) : ('BONUS' as const),
              ...(principal || givesBonus(type)
                ? { funder: type.funder, funderId: type.funderId }
                : { funder: 'PLATFORM' as const, funderId: null }),
              productCode: type.productCode,
              fundingMode: principal ? type.fundingMode : ('ON_GRANT' as const),
              expiryPolicy: pinned.expiryPolicy,
              grantLineId: line.id,
            };
          }),
        )
        .execute();
    }
    await refreshCard(tx, ledger, card.id, now);
  }
  await own(tx)
    .updateTable('cardGrantLine')
    .set({ state: 'SUCCESS', cardId: card.id, failReason: null, doneAt: now })
    .where('id', '=', line.id)
    .execute();
  const { patientId } = await own(tx).selectFrom('cardCard').select('patientId').where('id', '=', card.id).executeTakeFirstOrThrow();
  await writing.publish(cardGranted, card.id, {
    grantId,
    cardId: card.id,
    patientId: patientId ?? '0',
    cardTypeId: type.id,
    cardTypeName: type.typeName,
    amount: Number(amount),
    bonus: Number(bonus),
    expireAt: lotEnd ?? FAR,
  });
  return card.id;
}

/** The oldest card in stock of the type that nobody else is just taking. */
async function takeFromStock({ tx }: Writing, cardTypeId: string) {
  const { rows } = await sql<{
    id: string;
    batchId: string;
    ruleVersion: number;
    faceAmount: string;
    bonusAmount: string;
    expireAt: Instant | null;
  }>`
    select c.id, c.batch_id, c.rule_version, b.face_amount, b.bonus_amount, c.expire_at
      from card_card c
      join card_batch b on b.id = c.batch_id
      where c.card_type_id = ${cardTypeId} and c.state = 'IN_STOCK' and b.status in ('GENERATED', 'EXPORTED')
      order by c.id limit 1 for update of c skip locked`.execute(tx);
  return rows[0] ?? null;
}

async function rulesOfVersion({ tx }: Writing, cardTypeId: string, ruleVersion: number): Promise<unknown> {
  const row = await own(tx)
    .selectFrom('cardTypeVersion')
    .select('rules')
    .where('cardTypeId', '=', cardTypeId)
    .where('ruleVersion', '=', ruleVersion)
    .executeTakeFirst();
  return row?.rules;
}
