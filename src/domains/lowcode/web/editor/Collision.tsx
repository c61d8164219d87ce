import { Button, Modal } from 'antd';
import { toast } from '#kernel/web/feedback/toast.ts';
import { changesBetween } from '../../contract/compare.ts';
import { merged } from '../../contract/merge.ts';
import { Changes } from '../pages/Difference.tsx';

interface Props {
  base: string;
  mine: string;
  theirs: string;
  message: string;
  /** Both put together, still to be saved. */
  onMerge(text: string): void;
  onOverwrite(): void;
  onTake(): void;
  onClose(): void;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
const between = (a: string, b: string) => ({ changes: changesBetween(parsed(a), parsed(b)).slice(0, 60), more: false, operations: [] });

/** Somebody else saved meanwhile: what he changed, what I changed, and the ways on. */
export function Collision({ base, mine, theirs, message, onMerge, onOverwrite, onTake, onClose }: Props) {
  const { value, conflicts } = merged(parsed(base), parsed(mine), parsed(theirs));
  const copy = () => void navigator.clipboard?.writeText(mine).then(() => toast('已复制'));
  return (
    <Modal
      open
      title="草稿已被修改"
      width={980}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={copy}>复制我的内容</Button>
          <Button onClick={onTake}>放弃我的修改</Button>
          <Button danger onClick={onOverwrite}>
            覆盖
          </Button>
          <Button type="primary" disabled={conflicts.length > 0} onClick={() => onMerge(JSON.stringify(value, null, 2))}>
            合并双方修改
          </Button>
        </>
      }
    >
      <p>{message}</p>
      <p className="kq-muted">
        {conflicts.length === 0
          ? '双方修改的位置不同，可以合并；合并后请检查并保存。'
          : `双方修改了同一位置，不能自动合并：${conflicts.slice(0, 5).join('、')}${conflicts.length > 5 ? `等${conflicts.length}处` : ''}`}
      </p>
      <h3>对方的修改</h3>
      <Changes of={between(base, theirs)} />
      <h3>我的修改</h3>
      <Changes of={between(base, mine)} />
    </Modal>
  );
}
