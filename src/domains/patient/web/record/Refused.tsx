import { Button } from 'antd';
import { ask, askReason } from '#kernel/web/feedback/dialogs.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { failureText, RefusalError } from '#kernel/web/http/refusal.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Outcome } from '#kernel/web/kit/Outcome.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { breakGlass } from '../../contract/calls/sufferer.ts';
import { patientErrors } from '../../contract/errors.ts';
import { patientPermissions } from '../../contract/permissions.ts';

const LEAST = 10;

/** The record did not open: why, and what may be done about it. */
export function Refused({ error, patientId, onRetry }: { error: unknown; patientId: string; onRetry(): void }) {
  const command = useCommand(breakGlass, { success: '已开通紧急查看，2小时内有效', onSuccess: onRetry });
  if (!(error instanceof RefusalError) || error.code !== patientErrors.OUT_OF_SCOPE.code)
    return <TableFailure error={error} onRetry={onRetry} />;
  const open = async () => {
    const reason = await askReason({
      title: '紧急查看',
      content: '紧急查看会通知主管并记入档案查看记录，2小时内有效。',
      label: '查看原因',
    });
    if (reason === null) return;
    if ([...reason].length < LEAST) {
      toastError(patientErrors.GLASS_REASON.text);
      return;
    }
    if (await ask({ content: '确定要紧急查看该患者的档案吗?', danger: true })) await command.run({ patientId, reason });
  };
  return (
    <Outcome
      kind="info"
      title={failureText(error)}
      actions={
        <Can
          permission={patientPermissions['patient.breakGlass']}
          otherwise={<span className="kq-muted">如需查看，请联系该患者的负责人或主管</span>}
        >
          <Button type="primary" danger disabled={command.busy} onClick={() => void open()}>
            紧急查看
          </Button>
        </Can>
      }
    />
  );
}
