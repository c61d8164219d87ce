import { Tag } from 'antd';
import { sendTarget, touchKind } from '../../contract/dictionaries.ts';
import type { ScheduleRow } from '../../contract/scheduleCalls.ts';

interface ScheduleCardProps {
  item: ScheduleRow;
  draggable: boolean;
  onOpen(): void;
}

/** One item on the day axis. */
export function ScheduleCard({ item, draggable, onOpen }: ScheduleCardProps) {
  return (
    <button
      type="button"
      className="kq-schedule-card"
      draggable={draggable}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', item.id);
        event.dataTransfer.effectAllowed = 'move';
      }}
      onClick={onOpen}
    >
      <b>{item.sendTime}</b>
      <span>{touchKind.label(item.touchKind)}</span>
      <span className="kq-muted">{sendTarget.label(item.target)}</span>
      {item.itemConditions.length > 0 && (
        <Tag variant="filled" color="processing">
          条件 {item.itemConditions.length}
        </Tag>
      )}
    </button>
  );
}
