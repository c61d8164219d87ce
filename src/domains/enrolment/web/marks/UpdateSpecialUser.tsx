import { Alert, Button, Form, Skeleton } from 'antd';
import { use } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { FormFrame } from '#kernel/web/form/FormFrame.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useFormCommand } from '#kernel/web/form/useFormCommand.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { param } from '#kernel/web/router/address.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { PageContext, useAddress, usePageTitle } from '#kernel/web/tabs/page.tsx';
import { forgetUnsaved, tabs } from '#kernel/web/tabs/store.ts';
import { addSpecialUser, modifySpecialUser, querySpecialUserDetail } from '../../contract/calls/marks.ts';
import { enrolmentErrors } from '../../contract/errors.ts';
import { MarkFields, type MarkValues } from './MarkFields.tsx';
import { markReads } from './useMarkActions.ts';

const address = { id: param.optional() };

/** What is empty of the numbers is left out: of a known mark it stays as it is. */
const inputOf = ({ mobile, idNo, evidenceFileIds, ...values }: MarkValues) => ({
  ...values,
  ...(mobile && { mobile }),
  ...(idNo && { idNo }),
  productIds: values.productIds ?? [],
  evidenceFileIds: (evidenceFileIds ?? []).map(({ fileId }) => fileId),
});

/** Back to the list, where the mark stands now; the form's tab goes. */
function useLeave() {
  const { tabKey } = use(PageContext);
  return () => {
    goTo('/specialUser');
    tabs.close(tabKey);
    forgetUnsaved(tabKey);
  };
}

const Buttons = ({ busy, flying, onSave, onCancel }: { busy: boolean; flying: boolean; onSave(): void; onCancel(): void }) => (
  <div className="kq-form-foot">
    <span />
    <Button onClick={onCancel} disabled={flying}>
      返回
    </Button>
    <Button type="primary" loading={flying} disabled={busy} onClick={onSave}>
      提交审批
    </Button>
  </div>
);

function NewMark() {
  const [form] = Form.useForm<MarkValues>();
  const leave = useLeave();
  const today = todayHere();
  const command = useFormCommand<typeof addSpecialUser, MarkValues>({
    call: addSpecialUser,
    form,
    toInput: inputOf,
    refreshes: markReads,
    success: '新增成功!',
    onDone: leave,
  });
  return (
    <div className="kq-pad">
      <FormFrame<MarkValues>
        form={form}
        initial={{ productIds: [], startDate: today, endDate: plusDays(today, 364) }}
        alert={command.alert}
        disabled={command.flying}
        onSubmit={(values) => void command.submit(values)}
      >
        <MarkFields />
      </FormFrame>
      <Buttons busy={command.busy} flying={command.flying} onSave={() => form.submit()} onCancel={() => goTo('/specialUser')} />
    </div>
  );
}

type Detail = OutputOf<typeof querySpecialUserDetail>;

function KnownMark({ detail }: { detail: Detail }) {
  const [form] = Form.useForm<MarkValues>();
  const leave = useLeave();
  const { mark } = detail;
  const tomorrow = plusDays(todayHere(), 1);
  const inForce = mark.state === 'EFFECTIVE';
  const firstDay = tomorrow > mark.startDate ? tomorrow : plusDays(mark.startDate, 1);
  const command = useFormCommand<typeof modifySpecialUser, MarkValues>({
    call: modifySpecialUser,
    form,
    toInput: (values) => ({ ...inputOf(values), id: mark.id, version: mark.version }),
    refreshes: markReads,
    success: '修改成功!',
    onDone: leave,
  });
  return (
    <div className="kq-pad">
      {inForce && (
        <Alert
          type="info"
          showIcon
          title="该标记生效中：修改另存为一个待审批的标记，审批通过后原标记在新标记开始的前一天结束；在此之前原标记不变"
        />
      )}
      {mark.state === 'REJECTED' && <Alert type="warning" showIcon title={`该标记已驳回：${detail.opinion ?? ''}，修改后重新提交审批`} />}
      <FormFrame<MarkValues>
        form={form}
        recordKey={`${mark.id}:${mark.version}`}
        initial={{
          name: mark.name,
          markType: mark.markType,
          productIds: detail.productIds,
          startDate: inForce ? firstDay : mark.startDate,
          endDate: inForce && mark.endDate < firstDay ? firstDay : mark.endDate,
          reason: mark.reason,
          evidenceFileIds: detail.evidenceFileIds.map((fileId, at) => ({
            fileId,
            fileName: `佐证附件${at + 1}`,
            detectedType: null,
            size: null,
            pageCount: null,
          })),
        }}
        alert={command.alert}
        disabled={command.flying}
        onSubmit={(values) => void command.submit(values)}
      >
        <MarkFields known={mark} products={detail.productIds.map((value, at) => ({ value, label: mark.productNames[at] ?? value }))} />
      </FormFrame>
      <Buttons busy={command.busy} flying={command.flying} onSave={() => form.submit()} onCancel={() => goTo('/specialUser')} />
    </div>
  );
}

/** /updateSpecialUser?id= 编辑特殊用户; without a number: a new mark. */
export default function UpdateSpecialUser() {
  const [{ id }] = useAddress(address);
  const { data, error, refetch } = useData(querySpecialUserDetail, { id: id ?? '' }, { quiet: true, enabled: id !== undefined });
  usePageTitle(id === undefined ? '新增特殊用户' : data && `编辑特殊用户：${data.mark.name}`);
  if (id === undefined) return <NewMark />;
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton active paragraph={{ rows: 12 }} className="kq-pad" />;
  const isOver = data.mark.state === 'REVOKED' || data.mark.state === 'EXPIRED';
  if (isOver) return <Alert className="kq-pad" type="warning" showIcon title={enrolmentErrors.MARK_ENDED.text} />;
  return <KnownMark key={data.mark.id} detail={data} />;
}
