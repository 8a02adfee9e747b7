import type { Texts } from './en.js';

export const factorEs: Texts['factor'] = {
  title: 'Segundo factor',
  look: 'Configurar o quitar el segundo factor',
  about:
    'Con un segundo factor, para iniciar sesión hacen falta su contraseña y un código de una aplicación de autenticación en su teléfono.',
  on: 'Configurado',
  off: 'Sin configurar',
  required: 'Su función lo exige.',
  renew: 'Sustituir los códigos de recuperación',
  renewHint: 'Los códigos anteriores dejan de valer de inmediato.',
  end: 'Quitar el segundo factor',
  endHint: 'Terminan todas sus sesiones, también esta. Después inicie sesión con su contraseña.',
  begin: 'Configurar el segundo factor',
  beginHint: 'A continuación recibe un secreto para su aplicación de autenticación.',
  password: 'Su contraseña',
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
