import type { SupplierType } from '../../contract/dictionaries.ts';
import type { SupplierAction } from '../../contract/supplierStates.ts';

export interface SupplierSpec {
  name: string;
  type: SupplierType;
  cold: boolean;
  contact: string;
  licenseNo: string;
  integration: 'API' | 'PORTAL' | 'EXCEL';
  capacity: number | null;
  regions: readonly string[];
  without?: readonly string[];
  /** Days before today on which it was entered. */
  since: number;
  /** Days from today on which its licence ends. */
  licenceDays: number;
  steps: readonly SupplierAction[];
  /** Days from today on which it takes no orders for two days. */
  pauseIn?: number;
}

const ENABLED = ['submit', 'approve'] as const;
const EVERYWHERE = ['110000', '120000', '130000', '310000', '320000', '330000', '340000', '350000', '370000', '410000', '420000', '440000'];

/** One paused, one with an expired licence, one that ends soon, one cold in 上海 and 江苏 alone, one that waits, one refused. */
export const SUPPLIERS: readonly SupplierSpec[] = [
  {
    name: '华东康达大药房',
    type: 'B2C',
    cold: false,
    contact: '周晓明',
    licenseNo: '沪CB0210118',
    integration: 'API',
    capacity: 600,
    regions: EVERYWHERE,
    since: 300,
    licenceDays: 900,
    steps: ENABLED,
  },
  {
    name: '申江冷链医药物流',
    type: 'WAREHOUSE',
    cold: true,
    contact: '陆文静',
    licenseNo: '沪AA0210042',
    integration: 'API',
    capacity: 200,
    regions: ['310000', '320000'],
    without: ['320300'],
    since: 260,
    licenceDays: 700,
    steps: ENABLED,
    pauseIn: 5,
  },
  {
    name: '百济新特药房（南京）',
    type: 'DTP',
    cold: true,
    contact: '孙丽萍',
    licenseNo: '苏DA0250310',
    integration: 'PORTAL',
    capacity: 80,
    regions: ['320000', '340000'],
    since: 220,
    licenceDays: 24,
    steps: ENABLED,
  },
  {
    name: '岭南健民连锁药房',
    type: 'CHAIN',
    cold: false,
    contact: '黄志强',
    licenseNo: '粤CB0200577',
    integration: 'PORTAL',
    capacity: 150,
    regions: ['440000', '450000', '460000'],
    since: 200,
    licenceDays: -6,
    steps: ENABLED,
  },
  {
    name: '京华医药电商仓',
    type: 'WAREHOUSE',
    cold: true,
    contact: '赵国栋',
    licenseNo: '京AA0100236',
    integration: 'API',
    capacity: 400,
    regions: ['110000', '120000', '130000', '140000', '150000'],
    since: 180,
    licenceDays: 520,
    steps: [...ENABLED, 'pause'],
  },
  {
    name: '西部同心大药房',
    type: 'B2C',
    cold: true,
    contact: '马俊',
    licenseNo: '青CB0630021',
    integration: 'EXCEL',
    capacity: 40,
    regions: ['630000', '620000', '640000'],
    since: 150,
    licenceDays: 480,
    steps: ENABLED,
  },
  {
    name: '蓉城益康DTP药房',
    type: 'DTP',
    cold: true,
    contact: '何雨欣',
    licenseNo: '川DA0280455',
    integration: 'API',
    capacity: 100,
    regions: ['510000', '500000'],
    since: 6,
    licenceDays: 1_000,
    steps: ['submit'],
  },
  {
    name: '中原惠民连锁药店',
    type: 'CHAIN',
    cold: false,
    contact: '郭建华',
    licenseNo: '豫CB0370288',
    integration: 'EXCEL',
    capacity: null,
    regions: ['410000'],
    since: 12,
    licenceDays: 610,
    steps: ['submit', 'reject'],
  },
  {
    name: '江城安和药房',
    type: 'B2C',
    cold: false,
    contact: '陈思远',
    licenseNo: '鄂CB0270199',
    integration: 'PORTAL',
    capacity: 120,
    regions: ['420000', '430000'],
    since: 240,
    licenceDays: 300,
    steps: [...ENABLED, 'disable'],
  },
];
