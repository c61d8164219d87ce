import { Button, Form, Skeleton, Tag } from 'antd';
import { useEffect, useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { isIdNumber } from '#kernel/contract/idNumber.ts';
import { yuan } from '#kernel/contract/money.ts';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { Dict, Money, Time } from '#kernel/web/kit/values.tsx';
import { matchManualOrder, type MatchedCard, type MatchedContract } from '../../contract/calls/manualOrders.ts';
import { bizLines } from '../../contract/orderDictionaries.ts';
import type { ManualValues } from './manualValues.ts';
import './manual.css';

type Asked = InputOf<typeof matchManualOrder>;

/** What of the form is enough to ask whose it is; null: not yet. */
function askedOf(values: Partial<ManualValues>, manualOrderId: string | null): Asked | null {
  const { drugstoreId, purchaseDate, mobile, idNo, patientId } = values;
  const lines = (values.lines ?? []).flatMap((line) =>
    line?.goodsCode && line.quantity && line.unitPriceFen
      ? [{ goodsCode: line.goodsCode, quantity: line.quantity, unitPriceFen: line.unitPriceFen }]
      : [],
  );
  const hasMobile = /^1\d{10}$/.test(mobile ?? '');
  const hasIdNo = isIdNumber((idNo ?? '').toUpperCase());
  if (!drugstoreId || !purchaseDate || lines.length === 0 || (!hasMobile && !hasIdNo && manualOrderId === null)) return null;
  return {
    manualOrderId,
    drugstoreId,
    purchaseDate,
    lines,
    patientId: patientId ?? null,
    ...(hasMobile && { mobile: mobile ?? '' }),
    ...(hasIdNo && { idNo: (idNo ?? '').toUpperCase() }),
  };
}

const limitText = ({ label, unit, limitAmount }: MatchedContract['limits'][number]): string =>
  `${label} ${unit === 'FEN' ? `${yuan(limitAmount, true)}元` : `${limitAmount}次`}`;

interface ChoiceProps {
  chosen: boolean;
  refusal: string | null;
  label: string;
  onChoose(): void;
}
function Choice({ chosen, refusal, label, onChoose }: ChoiceProps) {
  if (refusal !== null) return <div className="kq-danger">不可用：{refusal}</div>;
  return chosen ? (
    <Tag color="success">已选择</Tag>
  ) : (
    <Button size="small" onClick={onChoose} aria-label={label}>
      选择
    </Button>
  );
}

interface MatchPanelProps {
  manualOrderId: string | null;
  onContract(contract: MatchedContract): void;
  onCard(card: MatchedCard): void;
}

/** Whose purchase it is, and what may pay for it on its day: asked again as the form changes. */
export function MatchPanel({ manualOrderId, onContract, onCard }: MatchPanelProps) {
  const form = Form.useFormInstance<ManualValues>();
  const values = Form.useWatch<Partial<ManualValues>>((all: Partial<ManualValues>) => all, form) as Partial<ManualValues> | undefined;
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = useDebouncedCallback(setAsked);
  const wanted = values === undefined ? null : askedOf(values, manualOrderId);
  const key = JSON.stringify(wanted);
  useEffect(() => ask(JSON.parse(key) as Asked | null), [key, ask]);
  const { data, error } = useData(matchManualOrder, asked ?? NOTHING_ASKED, { quiet: true, enabled: asked !== null });
  const patientId = values?.patientId ?? null;
  const found = data?.patientId ?? null;
  // Whom only one record can be is not asked for; who is not found any more is not meant any more.
  const isGone = asked !== null && data !== undefined && patientId !== null && !data.patients.some((one) => one.patientId === patientId);
  useEffect(() => {
    if (isGone) form.setFieldsValue({ patientId: null, contractId: null, cardId: null });
    else if (found !== null && patientId === null) form.setFieldValue('patientId', found);
  }, [isGone, found, patientId, form]);
  if (asked === null)
    return (
      <Section title="匹配结果">
        <p className="kq-muted">填写手机号或身份证号、药店、购药日期与商品后，自动匹配患者档案、合同与储值卡</p>
      </Section>
    );
  if (error) return <p className="kq-danger">{failureText(error)}</p>;
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />;
  return (
    <>
      <Section title="患者档案">
        {data.patients.length === 0 ? (
          <p className="kq-muted">没有匹配的患者档案，提交时按姓名、证件号与手机号建档</p>
        ) : (
          <ul className="ord-manual-match" aria-label="患者档案">
            {data.patients.map((one) => (
              <li key={one.patientId}>
                <b>{one.name}</b> {one.patientNo} <span className="kq-muted">{one.mobile}</span>{' '}
                <Tag>{one.by === 'CERTIFICATE' ? '证件号一致' : '手机号一致'}</Tag>
                <Choice
                  chosen={one.patientId === patientId}
                  refusal={null}
                  label={`选择患者${one.patientNo}`}
                  onChoose={() => form.setFieldsValue({ patientId: one.patientId, contractId: null, cardId: null })}
                />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="当日合同">
        {data.contracts.length === 0 ? (
          <p className="kq-muted">没有合同，直付金额须为0</p>
        ) : (
          <ul className="ord-manual-match" aria-label="合同">
            {data.contracts.map((one) => (
              <li key={one.contractId}>
                <b>{one.contractNo}</b> <Dict of={bizLines} code={one.bizLine} plain /> {one.productCode}
                <div className="kq-muted">
                  {one.effectiveFrom} 至 {one.effectiveTo}
                </div>
                {one.limits.length > 0 && <div className="kq-muted">{one.limits.map(limitText).join('；')}</div>}
                <Choice
                  chosen={one.contractId === values?.contractId}
                  refusal={one.refusal}
                  label={`选择合同${one.contractNo}`}
                  onChoose={() => onContract(one)}
                />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="储值卡">
        {data.cards.length === 0 ? (
          <p className="kq-muted">没有储值卡</p>
        ) : (
          <ul className="ord-manual-match" aria-label="储值卡">
            {data.cards.map((one) => (
              <li key={one.cardId}>
                <b>{one.cardTypeName}</b> {one.cardNo}
                <div className="kq-muted">
                  可用 <Money fen={one.availableFen} unit />
                  {one.expireAt !== null && (
                    <>
                      ，有效期至 <Time at={one.expireAt} day />
                    </>
                  )}
                </div>
                {one.refusal === null && (
                  <div>
                    本单可抵扣 <Money fen={one.payableFen} unit />
                  </div>
                )}
                <Choice
                  chosen={one.cardId === values?.cardId}
                  refusal={one.refusal}
                  label={`选择卡${one.cardNo}`}
                  onChoose={() => onCard(one)}
                />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
const NOTHING_ASKED: Asked = { manualOrderId: null, patientId: null, drugstoreId: '', purchaseDate: '', lines: [] };
