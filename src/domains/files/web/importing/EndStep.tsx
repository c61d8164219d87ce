import { Alert, Button, Progress } from 'antd';
import { showInstant } from '#kernel/contract/time.ts';
import { Outcome } from '#kernel/web/kit/Outcome.tsx';
import { Counts } from './Counts.tsx';
import { UndoButton } from './UndoButton.tsx';
import { isBusy, type ImportTask } from './useImportTask.ts';

interface EndStepProps {
  task: ImportTask;
  onChanged(): void;
}

/** Steps 5 and 6: the rows are being written, or what came of it. */
export function EndStep({ task, onChanged }: EndStepProps) {
  if (isBusy(task.state)) {
    return (
      <>
        <p>
          正在写入 {task.rowsDone.toLocaleString('en-US')}/{(task.newRows + task.changedRows).toLocaleString('en-US')}{' '}
          行。全部成功才会生效，可以关闭窗口。
        </p>
        <Progress percent={Math.floor(task.progressBp / 100)} status="active" />
      </>
    );
  }
  if (task.state === 'FAILED')
    return <Alert type="error" showIcon title={task.errorMessage} description={`未写入任何数据。追踪号 ${task.traceId}`} />;
  if (task.state === 'CANCELLED')
    return (
      <Outcome kind="info" title="该批次已取消">
        批次 {task.batchNo}
      </Outcome>
    );
  const undone = task.state === 'UNDONE';
  return (
    <>
      <Outcome
        kind={undone ? 'info' : 'success'}
        title={undone ? '整批已撤销' : '导入完成'}
        actions={
          task.mayUndo && (
            <UndoButton task={task} onDone={onChanged}>
              {(undo) => (
                <Button danger onClick={undo}>
                  整批撤销
                </Button>
              )}
            </UndoButton>
          )
        }
      >
        {undone
          ? `批次 ${task.batchNo}，撤销于 ${task.undoneAt ? showInstant(task.undoneAt) : ''}：${task.undoReason ?? ''}`
          : `批次 ${task.batchNo}，新增${task.newRows}行，变更${task.changedRows}行，无变化${task.sameRows}行${task.errorRows > 0 ? `，未写入${task.errorRows}行` : ''}`}
      </Outcome>
      {task.mayUndo && task.undoUntil && <p className="kq-muted">可在 {showInstant(task.undoUntil)} 前整批撤销</p>}
      <Counts task={task} />
    </>
  );
}
