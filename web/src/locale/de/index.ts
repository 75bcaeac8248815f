import common from './common.json';
import cronberg from './cronberg.json';
import drunter from './drunter.json';
import home from './home.json';
import replay from './replay.json';
import rules from './rules.json';
import table from './table.json';

export default { common, cronberg, drunter, home, replay, rules, table };
