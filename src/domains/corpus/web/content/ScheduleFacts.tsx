import { Descriptions, Drawer } from 'antd';
import { sendTarget, touchKind } from '../../contract/dictionaries.ts';
import type { ScheduleRow } from '../../contract/scheduleCalls.ts';
import { createTaskText } from '../../contract/tasks/createTask.ts';
import { draftRowOf } from '../conditions/draft.ts';
import { sentenceOfRows } from '../conditions/sentence.ts';
import { useVariables } from '../conditions/useVariables.ts';
import { useMaterials } from '../materials/Thumb.tsx';

/** One schedule item for people who may only look. */
export function ScheduleFacts({ item, onClose }: { item: ScheduleRow; onClose(): void }) {
  const { byId } = useVariables();
  const known = useMaterials(item.materialIds);
  return (
    <Drawer open title="查看日程" size={640} onClose={onClose}>
      <Descriptions
        column={1}
        size="small"
        bordered
        items={[
          { key: 'dayOffset', label: '天数', children: `第${item.dayOffset}天` },
          { key: 'sendTime', label: '发送时间', children: item.sendTime },
          { key: 'touchKind', label: '内容类型', children: touchKind.label(item.touchKind) },
          { key: 'target', label: '发送到', children: sendTarget.label(item.target) },
          {
            key: 'materialIds',
            label: '素材',
            children:
              item.materialIds
                .map((id) => known.get(id)?.title ?? '')
                .filter(Boolean)
                .join('、') || '无',
          },
          { key: 'itemConditions', label: '附加条件', children: sentenceOfRows(item.itemConditions.map(draftRowOf), byId) || '无' },
          { key: 'createTask', label: '生成任务', children: createTaskText(item.createTask) },
        ]}
      />
    </Drawer>
  );
}
