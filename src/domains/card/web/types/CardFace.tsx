import { InputNumber } from 'antd';
import { useState } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { cardKinds, funders, type CardKind } from '../../contract/dictionaries.ts';
import { faultOfTerms, termsSchema, type CardTerms } from '../../contract/terms.ts';
import { judge } from '../../contract/rules/check.ts';
import { couponModes } from '../../contract/typeDictionaries.ts';

/** What is filled in so far, with defaults for the rest; null while a field is not yet a value of its kind. */
export function termsSoFar(values: Readonly<Record<string, unknown>>): CardTerms | null {
  const keys = new Set(Object.keys(termsSchema.shape));
  const given = Object.entries(values).filter(([key, value]) => keys.has(key) && value !== undefined && value !== null && value !== '');
  const parsed = termsSchema.safeParse(Object.fromEntries(given));
  return parsed.success ? parsed.data : null;
}

function worth(kind: CardKind, terms: CardTerms): string {
  if (kind === 'STORED_VALUE')
    return `¥${yuan(terms.faceAmount, true)}${terms.bonusAmount > 0 ? ` + 赠${yuan(terms.bonusAmount, true)}` : ''}`;
  if (kind === 'BENEFIT_CARD') return terms.benefits.map(({ benefitName, times }) => `${benefitName} ${times}次`).join(' · ') || '权益项';
  const rule = terms.couponRule;
  if (rule === null) return '优惠规则';
  if (rule.mode === 'DISCOUNT') return `${rule.value / 1_000}折${rule.cap === null ? '' : ` 最高减${yuan(rule.cap)}`}`;
  return rule.mode === 'FULL_CUT'
    ? `满${yuan(rule.threshold)}减${yuan(rule.value)}`
    : `${couponModes.label(rule.mode)} ¥${yuan(rule.value)}`;
}

const valid = (terms: CardTerms): string =>
  terms.validMode === 'DAYS' ? `激活后${terms.validDays ?? '—'}天有效` : `${terms.validFrom ?? '—'} 至 ${terms.validTo ?? '—'}`;

/** What an order of this amount would be relieved of: by the same rules as at the counter. */
function tryOut(kind: CardKind, terms: CardTerms, payable: number) {
  const fen = (value: number | null) => (value === null ? null : BigInt(value));
  const [benefit] = terms.benefits;
  return judge(
    {
      cardId: '0',
      kind,
      state: 'ACTIVE',
      stateLabel: '使用中',
      expireAt: null,
      stackGroup: terms.stackGroup,
      stackable: terms.stackable,
      scope: {},
      limits: { perUseMin: fen(terms.perUseMin), perUseMax: fen(terms.perUseMax), perDayMax: fen(terms.perDayMax) },
      coupon:
        terms.couponRule === null
          ? null
          : {
              mode: terms.couponRule.mode,
              threshold: BigInt(terms.couponRule.threshold),
              value: BigInt(terms.couponRule.value),
              cap: fen(terms.couponRule.cap),
            },
      lots: [
        { lotId: '1', kind: 'PRINCIPAL', free: BigInt(terms.faceAmount), expiresAt: null },
        { lotId: '2', kind: 'BONUS', free: BigInt(terms.bonusAmount), expiresAt: null },
      ],
      timesLeft: kind === 'COUPON' ? 1 : (benefit?.times ?? 0),
      monthLeft: benefit?.perMonthMax ?? null,
    },
    {
      orderType: null,
      drugstoreId: null,
      lines: [{ medicineId: null, categoryCode: null, amount: BigInt(payable) }],
      wanted: null,
      times: 1,
      chosen: [],
      usedToday: 0n,
      now: '2000-01-01T00:00:00.000Z',
    },
  );
}

function Trial({ kind, terms }: { kind: CardKind; terms: CardTerms }) {
  const [order, setOrder] = useState<number | null>(200);
  const payable = Math.round((order ?? 0) * 100);
  const { amount, lost, refusal } = tryOut(kind, terms, payable);
  const [benefit] = terms.benefits;
  return (
    <div className="card-trial">
      <label>
        订单金额（元）
        <InputNumber min={0} max={1_000_000} precision={2} value={order} onChange={setOrder} className="kq-wide" />
      </label>
      {refusal ? (
        <p className="card-trial-no">不能使用：{refusal.message}</p>
      ) : kind === 'BENEFIT_CARD' ? (
        <p>
          使用1次{benefit?.benefitName}，结算给服务方 <b>{yuan(benefit?.settlePrice ?? 0, true)}</b> 元
        </p>
      ) : (
        <>
          <p>
            抵扣 <b>{yuan(amount, true)}</b> 元，还需支付 {yuan(BigInt(payable) - amount, true)} 元
          </p>
          {lost > 0n && <p className="kq-muted">券的剩余 {yuan(lost, true)} 元作废</p>}
        </>
      )}
    </div>
  );
}

/** The platform and customers have no name of their own. */
const funderWord = (funder: unknown): string => (funder === 'PLATFORM' || funder === 'CUSTOMER' ? funders.label(funder) : '');

/** The card as its holder will see it, and what it would pay; both change while the form is filled in. */
export function CardFace({ kind, values }: { kind: CardKind; values: Readonly<Record<string, unknown>> }) {
  const terms = termsSoFar(values);
  const name = typeof values.typeName === 'string' && values.typeName !== '' ? values.typeName : '卡种名称';
  const funder = typeof values.funderName === 'string' && values.funderName !== '' ? values.funderName : funderWord(values.funder);
  const fault = terms && faultOfTerms(kind, terms);
  return (
    <aside className="card-side">
      <div className={`card-face card-face-${kind.toLowerCase()}`} aria-label="卡面预览">
        <span>{cardKinds.label(kind)}</span>
        <strong>{name}</strong>
        <b>{terms ? worth(kind, terms) : '—'}</b>
        <small>{terms ? valid(terms) : ''}</small>
        <small>{funder}</small>
      </div>
      <h4>试算</h4>
      {terms === null ? (
        <p className="kq-muted">填写完整后可以试算</p>
      ) : fault ? (
        <p className="kq-muted">{fault.message}</p>
      ) : (
        <Trial kind={kind} terms={terms} />
      )}
    </aside>
  );
}
