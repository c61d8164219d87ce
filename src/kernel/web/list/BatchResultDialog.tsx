import { Button, Modal, Progress } from 'antd';
import type { BatchResultProps } from './rowOutcome.ts';

/** Result of a batch, row by row; refused rows say why. */
export function BatchResultDialog({ title, outcomes, total, running, onClose }: BatchResultProps) {
  const failed = outcomes.filter((outcome) => !outcome.ok).length;
  return (
    <Modal
      open
      title={`${title}结果`}
      width={560}
      onCancel={onClose}
      closable={!running}
      keyboard={!running}
      mask={{ closable: false }}
      footer={
        <Button type="primary" disabled={running} onClick={onClose}>
          确定
        </Button>
      }
    >
      <Progress
        percent={Math.round((outcomes.length / Math.max(1, total)) * 100)}
        size="small"
        status={running ? 'active' : failed ? 'exception' : 'success'}
      />
      <p>
        {running
          ? `正在处理 ${outcomes.length}/${total}`
          : `共 ${outcomes.length} 条，成功 ${outcomes.length - failed} 条，失败 ${failed} 条`}
      </p>
      <ul className="kq-outcomes">
        {outcomes.map((outcome, index) => (
          <li key={index} className={outcome.ok ? 'kq-ok' : 'kq-failed'}>
            <span>{outcome.name}</span>
            <span>{outcome.message}</span>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
