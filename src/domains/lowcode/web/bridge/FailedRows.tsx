import { Modal } from 'antd';
import { SUCCESS } from '#kernel/contract/envelope.ts';
import type { Done } from './dataCalls.ts';

/** Of a batch, the records that were not changed, each with its reason. */
export function FailedRows({ done, onClose }: { done: Done; onClose(): void }) {
  const rows = done.outcomes.filter(({ code }) => code !== SUCCESS);
  return (
    <Modal open title="提示" width="30%" onCancel={onClose} onOk={onClose} cancelButtonProps={{ hidden: true }} okText="确定">
      <p>{done.message}</p>
      <table className="lc-plain-table">
        <thead>
          <tr>
            <th>编号</th>
            <th>原因</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, message }) => (
            <tr key={key}>
              <td>{key}</td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Modal>
  );
}
