/** Twelve cities with districts and a middle, for the demonstration. */
export interface DemoCity {
  city: string;
  short: string;
  districts: readonly string[];
  lng: number;
  lat: number;
}

export const demoCities: readonly DemoCity[] = [
  { city: '杭州市', short: '杭州', districts: ['330102', '330105', '330106', '330108', '330109'], lng: 120.17, lat: 30.26 },
  { city: '宁波市', short: '宁波', districts: ['330203', '330205', '330212'], lng: 121.55, lat: 29.87 },
  { city: '上海市', short: '上海', districts: ['310101', '310104', '310105', '310110', '310115'], lng: 121.47, lat: 31.23 },
  { city: '北京市', short: '北京', districts: ['110101', '110102', '110105', '110108'], lng: 116.4, lat: 39.91 },
  { city: '广州市', short: '广州', districts: ['440103', '440104', '440106', '440111'], lng: 113.27, lat: 23.13 },
  { city: '深圳市', short: '深圳', districts: ['440303', '440304', '440305', '440306'], lng: 114.06, lat: 22.55 },
  { city: '成都市', short: '成都', districts: ['510104', '510105', '510106', '510107'], lng: 104.07, lat: 30.66 },
  { city: '武汉市', short: '武汉', districts: ['420102', '420103', '420106', '420111'], lng: 114.31, lat: 30.6 },
  { city: '南京市', short: '南京', districts: ['320102', '320104', '320106', '320111'], lng: 118.79, lat: 32.06 },
  { city: '苏州市', short: '苏州', districts: ['320505', '320506', '320508'], lng: 120.62, lat: 31.3 },
  { city: '长沙市', short: '长沙', districts: ['430102', '430103', '430104', '430105'], lng: 112.98, lat: 28.2 },
  { city: '西安市', short: '西安', districts: ['610102', '610103', '610104', '610113'], lng: 108.95, lat: 34.27 },
];

/** Ends of names with kind and level, from the largest to the smallest. */
export const demoKinds = [
  ['第一人民医院', 'GENERAL', 'L3A'],
  ['中心医院', 'GENERAL', 'L3A'],
  ['中医院', 'TCM', 'L3A'],
  ['妇幼保健院', 'MATERNAL', 'L3A'],
  ['肿瘤医院', 'SPECIAL', 'L3A'],
  ['第二人民医院', 'GENERAL', 'L3B'],
  ['儿童医院', 'SPECIAL', 'L3B'],
  ['第三人民医院', 'GENERAL', 'L3C'],
  ['心血管病医院', 'SPECIAL', 'L3N'],
  ['第四人民医院', 'GENERAL', 'L2A'],
  ['口腔医院', 'SPECIAL', 'L2A'],
  ['第五人民医院', 'GENERAL', 'L2B'],
  ['骨科医院', 'SPECIAL', 'L2B'],
  ['康复医院', 'SPECIAL', 'L2C'],
  ['眼科医院', 'SPECIAL', 'L2N'],
  ['和平社区卫生服务中心', 'COMMUNITY', 'L1'],
  ['新城社区卫生服务中心', 'COMMUNITY', 'L1'],
  ['仁爱门诊部', 'CLINIC', 'L0'],
  ['惠民诊所', 'CLINIC', 'L0'],
  ['云医互联网医院', 'INTERNET', 'L0'],
  ['同德医院', 'GENERAL', 'L2A'],
  ['博爱医院', 'GENERAL', 'L2B'],
  ['皮肤病医院', 'SPECIAL', 'L2N'],
  ['传染病医院', 'SPECIAL', 'L3B'],
  ['精神卫生中心', 'SPECIAL', 'L2A'],
] as const;

export const demoStreets = ['人民路', '解放路', '中山路', '建设路', '文化路', '和平路', '延安路', '学院路'] as const;
export const demoDepartments = [
  ['心血管内科', '03.04'],
  ['呼吸内科', '03.01'],
  ['消化内科', '03.02'],
  ['内分泌科', '03.07'],
  ['普通外科', '04.01'],
  ['骨科', '04.03'],
  ['妇科', '05.01'],
  ['儿科', '07'],
  ['急诊医学科', '20'],
  ['医学影像科', '32'],
  ['神经内科', '03.03'],
  ['泌尿外科', '04.04'],
] as const;
export const demoChains = ['国大药房', '老百姓大药房', '益丰大药房', '海王星辰', '华氏大药房', '九洲大药房'] as const;
/** Goods of pharma's demonstration: code, medicine, name, package, price. */
export const demoGoods = [
  ['G00000001', '1', '甲磺酸奥希替尼片（泰瑞沙）', '80mg*30片/盒', 550_000],
  ['G00000010', '8', '信迪利单抗注射液（达伯舒）', '10ml:100mg*1支/盒', 108_000],
  ['G00000045', '31', '泽布替尼胶囊（百悦泽）', '80mg*7粒/盒', 544_000],
  ['G00000068', '47', '阿托伐他汀钙片（阿乐）', '20mg*14片/盒', 4_560],
  ['G00000079', '55', '利伐沙班片（京泽）', '15mg*14片/盒', 11_200],
  ['G00000083', '57', '沙库巴曲缬沙坦钠片（诺欣妥）', '50mg*14片/盒', 17_360],
  ['G00000087', '61', '盐酸二甲双胍片（泰白）', '0.25g*7片/盒', 1_680],
  ['G00000090', '63', '达格列净片（安达唐）', '10mg*14片/盒', 12_200],
  ['G00000097', '67', '甘精胰岛素注射液（长秀霖）', '3ml:300单位*1支/盒', 9_980],
  ['G00000120', '83', '恩替卡韦分散片（润众）', '1.0mg*14片/盒', 4_760],
  ['G00000156', '109', '复方丹参滴丸（天士力）', '27mg*7袋/盒', 2_680],
  ['G00000065', '46', '阿托伐他汀钙片（阿乐）', '10mg*7片/盒', 2_280],
] as const;
