import { Button } from 'antd';
import { useState } from 'react';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { CONTENT_IMAGE } from '../../contract/delivery/files.ts';
import { thingTypes } from '../../contract/delivery/things.ts';
import { itemPictureOf, itemTypeOf, type FloorType } from '../../contract/floors/dictionaries.ts';
import type { FloorItem } from '../../contract/floors/shape.ts';
import { PictureInput } from '../delivery/PictureInput.tsx';
import { ThingPicker } from '../delivery/ThingPicker.tsx';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

const MOST_ITEMS = 30;
const blank: FloorItem = { title: '', link: '', objectNo: '', objectId: null, imageFileId: null, startAt: null, endAt: null };

interface ItemsEditorProps {
  floorType: FloorType;
  value?: readonly FloorItem[];
  onChange?(items: FloorItem[]): void;
}

/** Items of a floor one below the other: numbers of medicines or doctors, or texts with where they lead; each with its picture and time. */
export function ItemsEditor({ floorType, value = [], onChange }: ItemsEditorProps) {
  const [open, setOpen] = useState<number | null>(null);
  const thing = itemTypeOf(floorType);
  const named = thing !== null;
  const set = (index: number, patch: Partial<FloorItem>) =>
    onChange?.(value.map((item, place) => (place === index ? { ...item, ...patch } : item)));
  const input = (index: number, key: 'title' | 'link', label: string, maxLength: number) => (
    <TextInput
      aria-label={`第${index + 1}项${label}`}
      placeholder={label}
      most={maxLength}
      value={value[index]?.[key] ?? ''}
      onChange={(event) => set(index, { [key]: event.target.value })}
    />
  );
  const more = (item: FloorItem) =>
    [item.imageFileId && '有图片', (item.startAt || item.endAt) && '限时'].filter(Boolean).join('、') || '图片与时间';
  return (
    <div className="fl-items">
      {value.map((item, index) => (
        <div key={index}>
          <div className="fl-item">
            {thing !== null ? (
              <ThingPicker
                thingType={thing}
                by="no"
                aria-label={`第${index + 1}项${thingTypes.label(thing)}`}
                value={item.objectNo}
                onChange={(objectNo) => set(index, { objectNo: objectNo ?? '' })}
              />
            ) : (
              <>
                {input(index, 'title', '标题', 16)}
                {input(index, 'link', '跳转', 200)}
              </>
            )}
            <Button
              aria-label={`第${index + 1}项图片与时间`}
              aria-expanded={open === index}
              onClick={() => setOpen(open === index ? null : index)}
            >
              {more(item)}
            </Button>
            <Button danger aria-label={`删除第${index + 1}项`} onClick={() => onChange?.(value.filter((_one, place) => place !== index))}>
              删除
            </Button>
          </div>
          {open === index && (
            <div className="fl-item-more">
              {!named && (
                <PictureInput
                  purpose={CONTENT_IMAGE}
                  crop={itemPictureOf(floorType) ?? undefined}
                  aria-label={`第${index + 1}项图片`}
                  hint="jpg、png、webp，不超过2MB"
                  value={item.imageFileId}
                  onChange={(imageFileId) => set(index, { imageFileId })}
                />
              )}
              <InstantInput
                aria-label={`第${index + 1}项开始时间`}
                placeholder="立即开始"
                value={item.startAt}
                onChange={(startAt) => set(index, { startAt })}
              />
              <InstantInput
                aria-label={`第${index + 1}项结束时间`}
                placeholder="长期展示"
                value={item.endAt}
                onChange={(endAt) => set(index, { endAt })}
              />
            </div>
          )}
        </div>
      ))}
      <Button disabled={value.length >= MOST_ITEMS} onClick={() => onChange?.([...value, blank])}>
        添加内容
      </Button>
    </div>
  );
}
