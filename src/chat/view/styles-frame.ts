/** Styles shared by several parts of the panel. */
const shared = `
:disabled{cursor:default;opacity:.45}
a{color:var(--accent);text-underline-offset:2px}
.sources ul,summary{list-style:none}
::-webkit-details-marker{display:none}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.send,.latest,.icon,.face{display:grid;place-items:center;flex:none;width:36px;height:36px;border-radius:8px}
.send,.main,.face,.cite:hover{background:var(--accent);color:var(--on)}
.panel,.popup,.latest,.chip,.plain,.sources,.card{background:var(--bg);border:1px solid var(--line);border-radius:12px}
.panel,.body,.question{display:flex;flex-direction:column}
.head,.popup>*,.pair,.dots,summary,.sources div,.code>div,.box,.item,.card .chips{display:flex;align-items:center;gap:10px}
.popup>*,.code>div{justify-content:space-between}
.note,.line,.dots,.excerpt,small,.left,.copy,.bad,.sources h3,.code>div{color:var(--muted);font-size:13px}
.quiet,.greet p,.page:not(:has(*)),::placeholder{color:var(--muted)}
.chip,.main,.plain,.popup>*,.banner,.sources,label,table{font-size:14px}
.main,.plain,label,h2,h3,.banner,.count,.cite{font-weight:600}
.plain:hover,.quiet:hover,.row:hover,.row[aria-current],.popup>:is(:hover,:focus-visible),.line,.card,.code,th{background:var(--soft)}
.main,.plain{padding:7px 16px;border-radius:8px;border-color:var(--edge);white-space:nowrap}
`;

const frame = `
.dot:after{content:"";top:5px;right:3px;min-width:0;padding:4px}
.panel{bottom:calc(88px + env(safe-area-inset-bottom));width:380px;height:min(640px,100vh - 108px);border-radius:16px;overflow:hidden;contain:layout paint;overflow-wrap:anywhere;animation:appear .18s}
@keyframes appear{from{opacity:0;transform:translateY(10px)}}
.head,.line,.banner{padding:8px 18px;border-bottom:1px solid var(--line)}
.head{gap:2px;padding:10px 10px 10px 18px;position:relative}
.head>:first-child{margin-left:-10px}
h2{font-size:16px;line-height:1.3}
.head :is(h2,small){overflow:hidden;text-overflow:ellipsis}
.head h2{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}
.head small,.cited{white-space:nowrap}
.title,.greet{hyphens:auto;hyphenate-limit-chars:14}
.face{margin-right:10px;overflow:hidden}
img{width:100%;height:100%;object-fit:contain;background:#fff}
.menu{position:relative}
.menu path{stroke-width:3}
.popup{position:absolute;top:52px;right:10px;z-index:2;min-width:220px;padding:6px;box-shadow:0 8px 28px var(--shade)}
.popup>*,.item>*,.sources h3,summary,.sources div,input{padding:8px 12px}
.popup>*{width:100%;text-decoration:none;color:inherit;border-radius:8px}
.count,.cite{background:var(--tint);border-radius:6px;padding:0 7px;font-size:13px}
.banner{width:100%;border-radius:0;background:var(--tint)}
.banner>:first-child{text-decoration:underline}
.title{flex:1;min-width:0}
.body{flex:1;min-height:0}
.log,.page{flex:1;position:relative;overflow-y:auto;overscroll-behavior:contain;padding:18px;scroll-padding-bottom:60px}
.page:not(:has(*)){display:grid;place-content:center;text-align:center}
.page>*+*,.card>*+*,.card form>*+*{margin-top:12px}
.card p:empty,.card>[hidden]+*{margin:0}
.item{gap:4px;margin:0!important}
.item>:first-child{flex:1}
.main+.plain{margin-left:8px}
label,input,small,.left{display:block}
input,.box,.latest{border:1px solid var(--edge)}
input{width:100%;margin-top:6px;border-radius:8px;background:var(--bg);font-size:16px;font-weight:400}
[tabindex^='-']{outline:0}
.bad{color:var(--bad)!important}
.risk{background:var(--bad);color:var(--bg)}
[aria-invalid=true]{border-color:var(--bad)}
`;

const media = `
@media(max-width:340px){.title+.icon{display:none}}
.phone .panel{inset:0;width:auto;height:auto;border:0;border-radius:0;padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}
.phone.opened .launcher{display:none}
@media(pointer:coarse){button:not(.cite),summary,.popup>a,input{min-height:44px}.icon,.send,.latest{min-width:44px}}
@media(forced-colors:active){.main,.send,.cite,.count,.bubble{border:1px solid}[aria-pressed=true],i,.dot:after{background:Highlight;color:HighlightText;forced-color-adjust:none}}
`;

export const frameStyles = shared + frame + media;
