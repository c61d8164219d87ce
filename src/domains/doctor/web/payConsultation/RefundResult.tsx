import { Button, Form } from 'antd';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { newKey } from '#kernel/web/http/request.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Money, Time } from '#kernel/web/kit/values.tsx';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';
import type { ConsultRefundRow } from '../../contract/calls/consultOrders.ts';
import { auditRefundResult, registerRefundResult } from '../../contract/calls/refunds.ts';
import { refundOutcomes } from '../../contract/dictionaries.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { REFUND_PROOF } from '../../contract/purposes.ts';
import { refreshes } from './orderList.tsx';

const OWNER = 'doctor.consultRefund';
type Outcome = (typeof refundOutcomes.codes)[number];
interface Values {
  outcome: Outcome;
  channelRefundNo?: string;
  fileId?: readonly UploadedFile[];
  opinion: string;
}

/** 登记核实结果: what the channel says of the refund, with its paper. */
function ResultDialog({ refund, onClose }: { refund: ConsultRefundRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const outcome = Form.useWatch('outcome', form);
  return (
    <FormDialog<typeof registerRefundResult, Values>
      open
      form={form}
      title={`登记核实结果：${refund.refundNo}`}
      call={registerRefundResult}
      success={SERVER_MESSAGE}
      refreshes={[...refreshes, queryFileList]}
      onClose={onClose}
      toInput={({ outcome: found, channelRefundNo, fileId, opinion }) => ({
        refundId: refund.id,
        outcome: found,
        ...(channelRefundNo && { channelRefundNo }),
        fileId: fileId?.[0]?.fileId ?? '',
        opinion,
      })}
    >
      <p className="kq-muted">请向支付渠道核实后登记，并上传渠道的凭证；另一人复核后生效。</p>
      <Field of={registerRefundResult} name="outcome" />
      {outcome === 'SUCCESS' && <Field of={registerRefundResult} name="channelRefundNo" />}
      <Field of={registerRefundResult} name="fileId">
        <Upload purpose={REFUND_PROOF} max={1} />
      </Field>
      <Field of={registerRefundResult} name="opinion" />
    </FormDialog>
  );
}

/** The paper of what was found out last. */
function Proof({ refundId, fileId }: { refundId: string; fileId: string | null }) {
  const { data } = useData(queryFileList, { ownerType: OWNER, ownerId: refundId }, { quiet: true });
  const files = data?.filter((file) => file.fileId === fileId && file.state === 'READY');
  return files ? (
    <div className="kq-row" style={{ marginBottom: 8 }}>
      <FileButtons files={files} ownerType={OWNER} ownerId={refundId} />
    </div>
  ) : null;
}

/** Of a refund whose outcome the channel does not tell: what somebody found out, and the second person's decision about it. */
export function RefundResult({ refund }: { refund: ConsultRefundRow }) {
  const layers = useLayers();
  const audit = useCommand(auditRefundResult, { success: '复核完成!', refreshes });
  const { found } = refund;
  const decide = async (action: 'confirm' | 'dismiss') => {
    if (!found) return;
    const opinion = await confirmWithOpinion({
      title: action === 'confirm' ? '确认核实结果' : '退回核实结果',
      content: action === 'confirm' ? '确认后退款按此结果结束，请先核对凭证。' : `确定要退回“${refund.refundNo}”的核实结果吗?`,
      facts: [
        { label: '退款单', value: refund.refundNo },
        { label: '退款金额', value: <Money fen={refund.amountFen} unit /> },
        { label: '核实结果', value: refundOutcomes.label(found.outcome) },
        { label: '渠道退款单号', value: found.refundNo },
      ],
      danger: action === 'dismiss',
      opinion: action === 'dismiss' ? 'required' : 'optional',
    });
    if (opinion !== null) await audit.run({ refundId: refund.id, action, ...(opinion && { opinion }) }, { idempotencyKey: newKey() });
  };
  const offers = (action: string) => refund.allowedActions.includes(action);
  return (
    <div>
      <p style={{ margin: '6px 0' }}>
        {found ? (
          <>
            <b>{refundOutcomes.label(found.outcome)}</b>
            {found.refundNo && `（${found.refundNo}）`}：{found.note}，{found.byName} 于 <Time at={found.at} /> 登记
          </>
        ) : (
          '渠道尚未告知结果，系统会继续查询；可向渠道核实后登记。'
        )}
      </p>
      {found && <Proof refundId={refund.id} fileId={found.fileId} />}
      <div className="kq-row">
        <Can permission={may['consult.refundAudit']}>
          {offers('confirm') && (
            <Button size="small" type="primary" disabled={audit.busy} onClick={() => void decide('confirm')}>
              确认结果
            </Button>
          )}
          {offers('dismiss') && (
            <Button size="small" danger disabled={audit.busy} onClick={() => void decide('dismiss')}>
              退回
            </Button>
          )}
        </Can>
        <Can permission={may['consult.refund']}>
          {offers('register') && (
            <Button size="small" onClick={() => layers.open((close) => <ResultDialog refund={refund} onClose={close} />)}>
              {found ? '重新登记' : '登记核实结果'}
            </Button>
          )}
        </Can>
      </div>
      {layers.shown}
    </div>
  );
}
