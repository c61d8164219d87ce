import { Pagination } from 'antd';
import type { PaginationProps } from 'antd';
import { cloneElement, isValidElement } from 'react';
import type { ReactNode } from 'react';

const NAMES: Readonly<Record<string, string>> = {
  prev: '上一页',
  next: '下一页',
  'jump-prev': '向前5页',
  'jump-next': '向后5页',
};

/** The arrows are icons alone; here they get the words that a reader of the screen hears. */
const spoken: NonNullable<PaginationProps['itemRender']> = (_page, type, element): ReactNode =>
  NAMES[type] && isValidElement<{ 'aria-label'?: string; role?: string }>(element)
    ? cloneElement(element, { 'aria-label': NAMES[type], role: 'button' })
    : element;

/** Pages of a list, in the product's size. */
export function Pager(props: Omit<PaginationProps, 'size' | 'itemRender'>) {
  return <Pagination size="small" itemRender={spoken} {...props} />;
}
