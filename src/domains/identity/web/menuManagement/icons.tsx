import {
  AppstoreOutlined,
  AuditOutlined,
  BankOutlined,
  CreditCardOutlined,
  FileTextOutlined,
  HomeOutlined,
  MedicineBoxOutlined,
  MessageOutlined,
  QrcodeOutlined,
  SafetyOutlined,
  SettingOutlined,
  ShoppingOutlined,
  TeamOutlined,
  WalletOutlined,
} from '@ant-design/icons';
import type { ComponentType } from 'react';

/** Icons that a menu entry may carry, by the name that is stored. */
export const menuIcons: Readonly<Record<string, { label: string; icon: ComponentType }>> = {
  home: { label: '首页', icon: HomeOutlined },
  message: { label: '消息', icon: MessageOutlined },
  team: { label: '人员', icon: TeamOutlined },
  medicine: { label: '医药', icon: MedicineBoxOutlined },
  bank: { label: '机构', icon: BankOutlined },
  qrcode: { label: '二维码', icon: QrcodeOutlined },
  wallet: { label: '结算', icon: WalletOutlined },
  safety: { label: '保险', icon: SafetyOutlined },
  audit: { label: '审核', icon: AuditOutlined },
  order: { label: '订单', icon: ShoppingOutlined },
  card: { label: '卡', icon: CreditCardOutlined },
  file: { label: '文件', icon: FileTextOutlined },
  app: { label: '应用', icon: AppstoreOutlined },
  setting: { label: '设置', icon: SettingOutlined },
};

export function MenuIcon({ name }: { name: string | null | undefined }) {
  const Icon = name ? menuIcons[name]?.icon : undefined;
  return Icon ? <Icon /> : null;
}
