import { Button, Modal } from 'antd';
import { toast } from '../../../../kernel/web/feedback/toast.ts';
import { changesBetween } from '../../contract/compare.ts';
import { Changes } from '../pages/Difference.tsx';

interface Props {
  base: string;
  mine: string;
  theirs: string;
  message: string;
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

/** Somebody else saved meanwhile: what he changed, what I changed, and the three ways on. */
export function Collision({ base, mine, theirs, message, onOverwrite, onTake, onClose }: Props) {
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
          <Button type="primary" danger onClick={onOverwrite}>
            覆盖
          </Button>
        </>
      }
    >
      <p>{message}</p>
      <h3>对方的修改</h3>
      <Changes of={between(base, theirs)} />
      <h3>我的修改</h3>
      <Changes of={between(base, mine)} />
    </Modal>
  );
}
