import { Form } from 'antd';
import { asHeld } from '#kernel/web/form/formRules.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import {
  addLedgerAdjustment,
  modifyLedgerAdjustment,
  queryLedgerAdjustmentDetail,
  queryLedgerAdjustmentList,
  type AdjustmentDetail,
} from '../../contract/calls/adjustments.ts';
import type { AdjustmentReason } from '../../contract/adjustments.ts';
import { emptyLeg, faultOfLegs, legsOf, LegsInput, type DraftLeg } from './LegsInput.tsx';
import { usePanel } from '../panel.ts';

interface Values {
  legs: readonly DraftLeg[];
  reasonCode: AdjustmentReason;
  reason: string;
  attachmentIds: readonly UploadedFile[];
}
const refreshes = [queryLedgerAdjustmentList, queryLedgerAdjustmentDetail];
const labels = { legs: '分录', reasonCode: '原因类型', reason: '原因说明', attachmentIds: '附件' };

/** The difference that a new one is to mend. */
interface Beginning {
  accountNo: string | null;
  amountFen: number | null;
  reason: string;
}

interface Props {
  /** Null: a new one. */
  of: AdjustmentDetail | null;
  begin?: Beginning;
  onClose(): void;
}

/** 制作调账: lines, why, and what it rests on. */
export function AdjustmentForm({ of, begin, onClose }: Props) {
  const { book } = usePanel();
  const [form] = Form.useForm<Values>();
  const inputOf = ({ legs, reasonCode, reason, attachmentIds }: Values): InputOf<typeof addLedgerAdjustment> => ({
    book,
    legs: legsOf(legs),
    reasonCode,
    reason,
    attachmentIds: attachmentIds.map(({ fileId }) => fileId),
  });
  const initial: Partial<Values> = of
    ? {
        legs: of.legs.map(({ accountNo, side, amountFen }) => ({ accountNo, side, amountFen: Number(amountFen) })),
        reasonCode: of.adjustment.reasonCode,
        reason: of.adjustment.reason,
        attachmentIds: of.attachments,
      }
    : begin
      ? {
          legs: [{ ...emptyLeg('D'), accountNo: begin.accountNo, amountFen: begin.amountFen }, emptyLeg('C')],
          reasonCode: 'DATA_FIX',
          reason: begin.reason,
          attachmentIds: [],
        }
      : { legs: [emptyLeg('D'), emptyLeg('C')], attachmentIds: [] };
  const shared = {
    open: true,
    form,
    width: 1020,
    initial,
    labels,
    onClose,
    refreshes,
    submitText: '保存',
    children: (
      <>
        <Form.Item name="legs" label="分录" required rules={[asHeld((legs: readonly DraftLeg[] = []) => faultOfLegs(legs))]}>
          <LegsInput book={book} />
        </Form.Item>
        <Field of={addLedgerAdjustment} name="reasonCode" />
        <Field of={addLedgerAdjustment} name="reason" placeholder="请填写10–200字原因" />
        <Form.Item name="attachmentIds" label="附件" required rules={[{ type: 'array', min: 1, message: '请上传调账依据附件' }]}>
          <Upload purpose="LEDGER_ADJUST" max={10} hint="银行回单、审批单或核对表" />
        </Form.Item>
      </>
    ),
  };
  return of ? (
    <FormDrawer<typeof modifyLedgerAdjustment, Values>
      {...shared}
      title={`修改调账：${of.adjustment.adjustNo}`}
      recordKey={of.adjustment.id}
      call={modifyLedgerAdjustment}
      success="修改成功!"
      toInput={(values) => ({ id: of.adjustment.id, version: of.adjustment.version, ...inputOf(values) })}
    />
  ) : (
    <FormDrawer<typeof addLedgerAdjustment, Values>
      {...shared}
      title="新增调账"
      call={addLedgerAdjustment}
      success="新增成功!"
      toInput={inputOf}
    />
  );
}
