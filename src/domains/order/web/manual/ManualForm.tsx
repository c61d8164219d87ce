import { Button, Form } from 'antd';
import { lazy, Suspense, useRef, useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field, FieldList } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { againstNow } from '#kernel/web/form/formRules.ts';
import { todayHere } from '#kernel/web/form/today.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { Money } from '#kernel/web/kit/values.tsx';
import {
  addManualOrder,
  modifyManualOrder,
  soldLine,
  submitManualOrder,
  type ManualOrderDetail,
} from '../../contract/calls/manualOrders.ts';
import { MANUAL_PROOF } from '../../contract/purposes.ts';
import { purchaseDayFault } from '../../contract/rules/manualOrder.ts';
import { GoodsSelect, StoreSelect } from '../selects.tsx';
import { goodsFenOf, linesIn, selfPayOf, type ManualValues } from './manualValues.ts';
import { MatchPanel } from './MatchPanel.tsx';
import { manualReads } from './reads.ts';
import './manual.css';

const EvidenceViewer = lazy(async () => ({ default: (await import('#kernel/web/audit/EvidenceViewer.tsx')).EvidenceViewer }));

type Of = typeof addManualOrder | typeof modifyManualOrder;
type EditValues = Omit<ManualValues, 'buyerName' | 'mobile'> & Partial<Pick<ManualValues, 'buyerName' | 'mobile'>>;

const dayRule = againstNow((day: string | null | undefined) => (day ? purchaseDayFault(day, todayHere()) : null));
const idsOf = (files: readonly UploadedFile[] | undefined) => (files ?? []).map(({ fileId }) => fileId);

/** The papers that were uploaded, to be read while the fields are typed. */
function Papers({ of, manualOrderId }: { of: Of; manualOrderId: string | null }) {
  const files = Form.useWatch<readonly UploadedFile[] | undefined>('attachmentFileIds') ?? [];
  const [at, setAt] = useState(0);
  return (
    <Section title="凭证">
      <Field of={of} name="attachmentFileIds" extra="提交复核前须上传小票照片">
        <Upload purpose={MANUAL_PROOF} max={9} />
      </Field>
      {files.length > 0 && (
        <Suspense fallback={null}>
          <EvidenceViewer
            caseId={manualOrderId ?? 'new'}
            name="凭证"
            items={files.map(({ fileId }, index) => ({
              id: fileId,
              label: `凭证${index + 1}`,
              fileIds: [fileId],
              ownerType: 'order.manualOrder',
              ownerId: manualOrderId ?? '',
            }))}
            at={Math.min(at, files.length - 1)}
            onChoose={setAt}
          />
        </Suspense>
      )}
    </Section>
  );
}

function Lines({ of, detail }: { of: Of; detail?: ManualOrderDetail }) {
  const known = detail?.lines.map(({ goodsCode, goodsName }) => ({ value: goodsCode, label: `${goodsName}（${goodsCode}）` })) ?? [];
  const lines = Form.useWatch<ManualValues['lines'] | undefined>('lines');
  return (
    <FieldList of={of} name="lines" missing="请添加商品">
      {(entries, { add, remove }, { errors }) => (
        <>
          {entries.map((entry) => (
            <div key={entry.key} className="ord-manual-line">
              <Field of={soldLine} name="goodsCode" within={[entry.name]}>
                <GoodsSelect known={known} />
              </Field>
              <Field of={soldLine} name="quantity" within={[entry.name]} />
              <Field of={soldLine} name="unitPriceFen" within={[entry.name]} label="单价（元）" />
              {entries.length > 1 && (
                <Button type="text" danger aria-label="移除商品" onClick={() => remove(entry.name)}>
                  ×
                </Button>
              )}
            </div>
          ))}
          <Form.ErrorList errors={errors} />
          <div className="kq-row">
            <Button size="small" onClick={() => add({ quantity: 1 })} disabled={entries.length >= 50}>
              添加商品
            </Button>
            <span>
              商品金额 <Money fen={goodsFenOf(lines)} unit />
            </span>
          </div>
        </>
      )}
    </FieldList>
  );
}

interface ChosenProps {
  id?: string;
  value?: string | null;
  onChange?(value: null): void;
  none: string;
  kind: 'patient' | 'contract' | 'card';
  /** What people call it, by its kind and id. */
  names: Readonly<Record<string, string>>;
}
/** What was chosen in the match panel. */
function Chosen({ id, value, onChange, none, kind, names }: ChosenProps) {
  if (value === null || value === undefined)
    return (
      <span id={id} className="kq-muted">
        {none}
      </span>
    );
  return (
    <span id={id}>
      {names[`${kind}${value}`] ?? '已选择'}
      <Button type="link" size="small" onClick={() => onChange?.(null)}>
        清除
      </Button>
    </span>
  );
}

function ManualFields({ of, detail }: { of: Of; detail?: ManualOrderDetail }) {
  const form = Form.useFormInstance<ManualValues>();
  const [names, setNames] = useState<Readonly<Record<string, string>>>({
    ...(detail?.contractId && { [`contract${detail.contractId}`]: detail.contractNo ?? '' }),
    ...(detail?.cardId && detail.cardText !== null && { [`card${detail.cardId}`]: detail.cardText }),
  });
  const name = (id: string, text: string) => setNames((before) => ({ ...before, [id]: text }));
  const kept = (masked: string | null | undefined) => (masked ? { placeholder: `${masked}（不修改请留空）` } : {});
  const goodsFen = () => goodsFenOf(form.getFieldValue('lines') as ManualValues['lines'] | undefined);
  return (
    <div className="ord-manual-three">
      <Papers of={of} manualOrderId={detail?.manualOrder.id ?? null} />
      <div>
        <Section title="购药信息">
          <Field of={of} name="buyerName" {...kept(detail?.manualOrder.buyerName)} />
          <Field of={of} name="mobile" {...kept(detail?.manualOrder.buyerMobile)} />
          <Field of={of} name="idNo" {...kept(detail?.idNo)} />
          <Field of={of} name="drugstoreId">
            <StoreSelect known={detail ? [{ value: detail.drugstoreId, label: detail.manualOrder.drugstoreName }] : []} />
          </Field>
          <Field of={of} name="receiptNo" />
          <Field of={of} name="purchaseDate" rules={[dayRule]} />
          <Field of={of} name="reasonCode" />
        </Section>
        <Section title="商品">
          <Lines of={of} {...(detail && { detail })} />
          <Field of={of} name="rxPassedBy" extra="含处方药时必填" />
        </Section>
        <Section title="支付构成">
          <Field of={of} name="patientId">
            <Chosen kind="patient" none="未匹配，提交时建档" names={names} />
          </Field>
          <Field of={of} name="contractId">
            <Chosen kind="contract" none="未选择，有直付金额时在匹配结果中选择" names={names} />
          </Field>
          <Field of={of} name="cardId">
            <Chosen kind="card" none="未选择，有卡抵扣金额时在匹配结果中选择" names={names} />
          </Field>
          <Field of={of} name="benefitFen" label="直付金额（元）" />
          <Field of={of} name="cardFen" label="卡抵扣金额（元）" />
          <Field of={of} name="selfPayFen" label="自付金额（元）" />
        </Section>
      </div>
      <div>
        <MatchPanel
          manualOrderId={detail?.manualOrder.id ?? null}
          onContract={({ contractId, contractNo }) => {
            name(`contract${contractId}`, contractNo);
            form.setFieldValue('contractId', contractId);
          }}
          onCard={({ cardId, cardNo, cardTypeName, payableFen }) => {
            name(`card${cardId}`, `${cardTypeName}（${cardNo}）`);
            const benefitFen = Number(form.getFieldValue('benefitFen') ?? 0);
            const cardFen = Math.min(payableFen, Math.max(0, goodsFen() - benefitFen));
            form.setFieldsValue({ cardId, cardFen, selfPayFen: Math.max(0, goodsFen() - benefitFen - cardFen) });
          }}
        />
      </div>
    </div>
  );
}

/** What is paid in cash follows what else changes; typed by hand it stays. */
const balanced =
  (setSelfPay: (fen: number) => void) =>
  (changed: object, all: Partial<ManualValues>): void => {
    if ('lines' in changed || 'benefitFen' in changed || 'cardFen' in changed) setSelfPay(selfPayOf(all));
  };

/** Hands what was saved to another person, where that was asked for; what is refused stays a draft and the refusal is told. */
function useSubmitAfter() {
  const submit = useCommand(submitManualOrder, { refreshes: manualReads, success: 'message' });
  const saves = useRef(false);
  return {
    note: (saving: boolean) => (saves.current = saving),
    done: async ({ id, version }: { id: string; version: number }) => {
      if (!saves.current) await submit.run({ manualOrderId: id, version }, { idempotencyKey: newKey() });
    },
  };
}

/** 新增手工订单: saved as a draft, or submitted at once. */
export function NewManual({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<ManualValues>();
  const after = useSubmitAfter();
  return (
    <FormDrawer<typeof addManualOrder, ManualValues>
      open
      title="新增手工订单"
      width="min(1440px, 97vw)"
      call={addManualOrder}
      form={form}
      initial={{
        reasonCode: 'OFFLINE_SALE',
        idNo: '',
        rxPassedBy: '',
        patientId: null,
        contractId: null,
        cardId: null,
        benefitFen: 0,
        cardFen: 0,
        selfPayFen: 0,
        lines: [{ quantity: 1 }],
      }}
      toInput={({ attachmentFileIds, lines, ...values }, saves) => {
        after.note(saves);
        return { ...values, lines: linesIn(lines), attachmentFileIds: idsOf(attachmentFileIds) };
      }}
      saveText="保存草稿"
      submitText="提交复核"
      refreshes={manualReads}
      success="新增成功!"
      onValuesChange={balanced((fen) => form.setFieldValue('selfPayFen', fen))}
      onDone={({ data }) => void after.done(data)}
      onClose={onClose}
    >
      <ManualFields of={addManualOrder} />
    </FormDrawer>
  );
}

/** 编辑: a draft, or what was rejected. */
export function EditManual({ data, onClose }: { data: ManualOrderDetail; onClose(): void }) {
  const [form] = Form.useForm<EditValues>();
  const after = useSubmitAfter();
  const { manualOrder: row } = data;
  const files = data.files.map(({ fileId, fileName, detectedType, size, pageCount }) => ({
    fileId,
    fileName,
    detectedType,
    size,
    pageCount,
  }));
  return (
    <FormDrawer<typeof modifyManualOrder, EditValues>
      open
      title={`编辑手工订单 ${row.manualNo}`}
      width="min(1440px, 97vw)"
      call={modifyManualOrder}
      form={form}
      recordKey={row.id}
      initial={{
        drugstoreId: data.drugstoreId,
        receiptNo: row.receiptNo,
        purchaseDate: row.purchaseDate,
        reasonCode: row.reasonCode,
        rxPassedBy: data.rxPassedBy,
        patientId: data.patientId,
        contractId: data.contractId,
        cardId: data.cardId,
        benefitFen: row.benefitFen,
        cardFen: row.cardFen,
        selfPayFen: row.selfPayFen,
        lines: data.lines.map(({ goodsCode, quantity, unitPriceFen }) => ({ goodsCode, quantity, unitPriceFen })),
        attachmentFileIds: files,
      }}
      toInput={({ attachmentFileIds, lines, buyerName, mobile, idNo, ...values }, saves): InputOf<typeof modifyManualOrder> => {
        after.note(saves);
        return {
          ...values,
          ...(buyerName && { buyerName }),
          ...(mobile && { mobile }),
          ...(idNo && { idNo }),
          manualOrderId: row.id,
          version: row.version,
          lines: linesIn(lines),
          attachmentFileIds: idsOf(attachmentFileIds),
        };
      }}
      saveText="保存草稿"
      submitText="提交复核"
      refreshes={manualReads}
      success="修改成功!"
      onValuesChange={balanced((fen) => form.setFieldValue('selfPayFen', fen))}
      onDone={({ data: saved }) => void after.done(saved)}
      onClose={onClose}
    >
      <ManualFields of={modifyManualOrder} detail={data} />
    </FormDrawer>
  );
}
