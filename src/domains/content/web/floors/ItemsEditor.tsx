import { Button, Input } from 'antd';
import { itemTypeOf, type FloorType } from '../../contract/floors/dictionaries.ts';
import type { FloorItem } from '../../contract/floors/shape.ts';

const MOST_ITEMS = 30;
const blank: FloorItem = { title: '', link: '', objectNo: '', objectId: null, startAt: null, endAt: null };

interface ItemsEditorProps {
  floorType: FloorType;
  value?: readonly FloorItem[];
  onChange?(items: FloorItem[]): void;
}

/** Items of a floor one below the other: numbers of medicines or doctors, or texts with where they lead. */
export function ItemsEditor({ floorType, value = [], onChange }: ItemsEditorProps) {
  const named = itemTypeOf(floorType) !== null;
  const set = (index: number, patch: Partial<FloorItem>) =>
    onChange?.(value.map((item, place) => (place === index ? { ...item, ...patch } : item)));
  const input = (index: number, key: 'title' | 'link' | 'objectNo', label: string, maxLength: number) => (
    <Input
      aria-label={`第${index + 1}项${label}`}
      placeholder={label}
      maxLength={maxLength}
      value={value[index]?.[key] ?? ''}
      onChange={(event) => set(index, { [key]: event.target.value })}
    />
  );
  return (
    <div className="fl-items">
      {value.map((_item, index) => (
        <div className="fl-item" key={index}>
          {named ? (
            input(index, 'objectNo', '对象编号', 40)
          ) : (
            <>
              {input(index, 'title', '标题', 16)}
              {input(index, 'link', '跳转', 200)}
            </>
          )}
          <Button danger aria-label={`删除第${index + 1}项`} onClick={() => onChange?.(value.filter((_one, place) => place !== index))}>
            删除
          </Button>
        </div>
      ))}
      <Button disabled={value.length >= MOST_ITEMS} onClick={() => onChange?.([...value, blank])}>
        添加内容
      </Button>
    </div>
  );
}
