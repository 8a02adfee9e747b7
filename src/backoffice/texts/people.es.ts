import type { Texts } from './en.js';
import type { peopleDoneEn } from './people.en.js';

export const peopleEs: Texts['people'] = {
  title: 'Personas',
  none: 'Todavía no hay cuentas.',
  add: 'Añadir una persona',
  search: 'Nombre o correo',
  nameHint: 'Si lo deja vacío, se usa el principio de la dirección.',
  role: 'Función',
  roleHint:
    'Los usuarios preguntan. Los editores cuidan además el conocimiento y las preguntas. Los administradores configuran además todo lo demás.',
  states: { active: 'Activa', disabled: 'Desactivada' },
  lastSeen: 'Última visita',
  never: 'nunca',
  passwordHint: (least) =>
    `Al menos ${least} caracteres. Comuníquela a la persona, que puede cambiarla en «Mi cuenta».`,
  account: 'Cuenta',
  access: 'Acceso',
  disable: 'Desactivar la cuenta',
  disableHint: 'Termina de inmediato todas las sesiones y los tokens de esta persona.',
  enable: 'Activar la cuenta',
  enableHint:
    'La persona puede volver a iniciar sesión. Las sesiones y los tokens terminados no vuelven.',
  resetPassword: 'Establecer una contraseña nueva',
  resetHint: (least) =>
    `Al menos ${least} caracteres. Terminan todas las sesiones y los tokens de esta persona.`,
  factor: 'Segundo factor',
  factorOff: 'Ninguno',
  resetFactorHint:
    'Para una persona que ha perdido su autenticador. Terminan todas sus sesiones. Asegúrese de que lo pide esta misma persona.',
  tokens: 'Tokens',
  tokensHint: 'Un token da a un programa los permisos de esta persona.',
  noTokens: 'Esta persona no tiene tokens.',
  token: 'Token',
  tokenName: 'Finalidad',
  tokenNameHint: 'Por ejemplo, la tarea que lo usa.',
  tokenTitle: (name) => `El token «${name}»`,
  tokenAbout:
    'Copie el token ahora. Solo se muestra esta vez. Los programas lo envían como «Authorization: Bearer …».',
  makeToken: 'Crear un token',
  days: 'Días hasta que caduca',
  daysHint: 'Si lo deja vacío, el token no caduca nunca.',
  made: 'Creado',
  lastUsed: 'Último uso',
  expires: 'Caduca',
  expired: 'Caducado',
  revoke: 'Revocar',
  revokeOf: (name) => `Revocar el token ${name}`,
  revoked: 'Revocado',
  links: 'Sitios vinculados',
  linksHint: 'Sitios en los que esta persona usa el widget con esta cuenta.',
  noLinks: 'Ningún sitio está vinculado a esta cuenta.',
  site: 'Sitio',
  calledThere: 'Conocida allí como',
  endLinkOf: (site) => `Terminar el vínculo con ${site}`,
  data: {
    title: 'Datos de una persona',
    ofPerson: 'Exportar o borrar los datos de esta persona',
    about: 'Para quien pregunta qué se guarda sobre su persona o quiere que se borre.',
    person: 'Persona',
    personHint:
      'Una dirección de correo, o user:7, end_user:12, visitor:… o conversation:…, como aparecen en conversaciones y cambios.',
    export: 'Exportar',
    exportNow: 'Descargar los datos',
    erase: 'Borrar',
    eraseNow: 'Borrar definitivamente',
    eraseWarning:
      'Elimina la cuenta, sus conversaciones, preguntas, opiniones y tokens. Los cambios y el consumo siguen registrados sin la persona. No se puede deshacer.',
    again: 'Escriba otra vez la persona',
    againHint: 'Igual que arriba. Después se le pide su propia contraseña.',
    erased: 'Los datos de la persona están borrados',
    erasedRows: (count) => `Filas eliminadas o anonimizadas: ${count}. Encontrada como:`,
    linked: (names) => `La misma persona se conoce también como ${names}. Esos datos se quedan.`,
    entriesStay:
      'Estas entradas publicadas responden a preguntas de la persona. Se quedan. Compruebe si contienen datos personales:',
    backups: 'Las copias de seguridad anteriores siguen conteniendo los datos.',
    notRewritten:
      'El servidor elimina los últimos restos del archivo de la base de datos en menos de una hora.',
  },
};

export const proveEs: Texts['prove'] = {
  title: 'Confirme con su contraseña',
  about: 'Este cambio necesita su propia contraseña. Todavía no se ha cambiado nada.',
  code: 'Código de su aplicación de autenticación',
  button: 'Confirmar',
  byProvider:
    'Si su cuenta no tiene contraseña, cierre la sesión, vuelva a iniciarla con su proveedor de identidad y repita el cambio.',
  kept: 'Lo he copiado',
};

export const peopleDoneEs: typeof peopleDoneEn = {
  personAdded: 'La cuenta está creada. La persona ya puede iniciar sesión.',
  personDisabled: 'La cuenta está desactivada. Todas las sesiones y los tokens han terminado.',
  personEnabled: 'La cuenta está activada.',
  passwordSet:
    'La contraseña nueva está establecida. Todas las sesiones y los tokens de esta persona han terminado.',
  factorReset: 'El segundo factor está quitado. Todas las sesiones de esta persona han terminado.',
  tokenRevoked: 'El token está revocado. Los programas ya no pueden usarlo.',
  linkEnded: 'El vínculo ha terminado.',
};

export const factorEs: Texts['factor'] = {
  title: 'Segundo factor',
  look: 'Configurar o quitar el segundo factor',
  about:
    'Con un segundo factor, para iniciar sesión hacen falta su contraseña y un código de una aplicación de autenticación en su teléfono.',
  off: 'Sin configurar',
  required: 'Su función lo exige.',
  renew: 'Sustituir los códigos de recuperación',
  renewHint: 'Los códigos anteriores dejan de valer de inmediato.',
  endHint: 'Terminan todas sus sesiones, también esta. Después inicie sesión con su contraseña.',
  begin: 'Configurar el segundo factor',
  beginHint: 'A continuación recibe un secreto para su aplicación de autenticación.',
  code: 'Código de la aplicación de autenticación o código de recuperación',
  addHint:
    'Añada una cuenta en su aplicación de autenticación y escriba allí este secreto. Solo se muestra esta vez.',
  open: 'Abrirlo en la aplicación de autenticación de este dispositivo',
  confirm: 'Confirmar con el primer código',
  confirmHint:
    'Escriba el código que muestra ahora la aplicación. Terminan todas sus demás sesiones.',
  codes: 'Códigos de recuperación',
  codesHint:
    'Guarde estos códigos en un lugar seguro. Cada uno sustituye una vez a un código de la aplicación si pierde el teléfono. Solo se muestran esta vez.',
  codesLeft: (count) =>
    count === 1 ? 'Queda 1 código de recuperación.' : `Quedan ${count} códigos de recuperación.`,
};
