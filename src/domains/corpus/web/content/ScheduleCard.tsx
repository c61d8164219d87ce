import { Tag } from 'antd';
import { sendTarget, touchKind } from '../../contract/dictionaries.ts';
import type { ScheduleRow } from '../../contract/scheduleCalls.ts';
import { createTaskText } from '../../contract/tasks/createTask.ts';
import { Thumb, type KnownMaterials } from '../materials/Thumb.tsx';

interface ScheduleCardProps {
  item: ScheduleRow;
  materials: KnownMaterials;
  draggable: boolean;
  onOpen(): void;
}

/** One item on the day axis. */
export function ScheduleCard({ item, materials, draggable, onOpen }: ScheduleCardProps) {
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
      {item.materialIds.map((id) => {
        const row = materials.get(id);
        return row && <Thumb key={id} row={row} />;
      })}
      {item.itemConditions.length > 0 && (
        <Tag variant="filled" color="processing">
          条件 {item.itemConditions.length}
        </Tag>
      )}
      {item.createTask && (
        <Tag variant="filled" color="warning" title={createTaskText(item.createTask)}>
          任务
        </Tag>
      )}
    </button>
  );
}
