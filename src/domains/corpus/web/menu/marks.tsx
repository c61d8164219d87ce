import { Tag } from 'antd';
import { chatFlagLabels, packageState, type ChatFlag } from '../../contract/dictionaries.ts';
import type { SceneRow } from '../../contract/sceneCalls.ts';

/** 群, 单 or 群+单. */
export function ChatTag({ chatFlag }: { chatFlag: ChatFlag }) {
  return (
    <Tag variant="filled" className="kq-chat-tag">
      {chatFlagLabels[chatFlag]}
    </Tag>
  );
}

/** State of a scene's package as a coloured dot. */
export function StateDot({ state }: { state: SceneRow['state'] }) {
  const label = packageState.label(state);
  return <i className={`kq-state-dot kq-state-${packageState.tone(state)}`} role="img" aria-label={label} title={label} />;
}
