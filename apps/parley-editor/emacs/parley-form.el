;;; parley-form.el --- Forms in the minibuffer  -*- lexical-binding: t; -*-

;;; Commentary:

;; The fields of a form are asked for one by one, see parley-field.  Then all of
;; it is reviewed before it is sent.  C-g at a field goes to the review, where
;; every way out is.

;;; Code:

(require 'parley-questions)
(require 'parley-field)

(defun parley--asked (field)
  "Whether FIELD is asked for, and not only shown."
  (not (parley--true (plist-get field :readOnly))))

(defun parley--insert-fields (fields values problems)
  "Insert FIELDS with VALUES and PROBLEMS."
  (cl-loop for field across fields
           for value across values
           for problem across problems
           for start = (concat (plist-get field :label) (if (parley--true (plist-get field :required)) " *: " ": "))
           for picked = (parley--picked field value)
           do (if (parley--asked field)
                  (insert start (parley--words field value) "\n")
                (parley--insert-quote (concat start (parley--words field value))))
           (parley--insert-quote (plist-get field :description) "  ")
           (dolist (hint (list (plist-get field :hint)
                               (unless (eq picked field)
                                 (string-join (delq nil (list (plist-get picked :label) (plist-get picked :hint))) ": "))))
             (when hint
               (insert (propertize (concat "  " hint) 'face 'parley-hint) "\n")))
           (when problem
             (insert (propertize (concat "  ! " problem) 'face 'parley-problem) "\n"))))

(defun parley--fill (form fields values show)
  "Have the FIELDS of FORM filled in, beginning with VALUES, which it changes.
SHOW shows them.  C-g ends it."
  (condition-case nil
      (dotimes (i (length fields))
        (when (parley--asked (aref fields i))
          (funcall show)
          (aset values i (parley--read-field form i (aref fields i) (aref values i)))))
    (quit nil)))

(defun parley--review (fields)
  "What can be changed of FIELDS, for the review."
  (cl-loop for field across fields
           for i from 0
           when (parley--asked field)
           collect (cons (concat "Change " (plist-get field :label)) i)))

(defun parley--defaults (fields)
  "The values that FIELDS begin with."
  (vconcat (mapcar (lambda (field) (plist-get field :value)) fields)))

(defun parley--put-form (question)
  "Put QUESTION, an ask/elicit, to the person."
  (let* ((form (parley--get question :form))
         (fields (or (parley--get question :fields) []))
         (known (parley-question-values question))
         (earlier (parley--true (parley--get question :earlier)))
         (values (or known (parley--defaults fields)))
         (show (lambda ()
                 (parley--show question ""
                               (lambda ()
                                 (when earlier
                                   (insert (propertize "filled in as you answered before" 'face 'parley-hint) "\n"))
                                 (parley--insert-fields fields values (parley-question-problems question))
                                 (when-let ((hint (parley--get question :hint)))
                                   (insert (propertize (concat "Of the whole answer, " hint) 'face 'parley-hint) "\n"))))))
         (asks (cl-some #'parley--asked fields)))
    (setf (parley-question-values question) values
          (parley-question-problems question) (make-vector (length fields) nil))
    (unless (or known earlier) ; which goes to the review
      (parley--fill form fields values show))
    (while (not (parley-question-over question))
      (funcall show)
      (let ((chosen (parley--choose
                     (if asks
                         (format "Send this to %s? " (parley--get question :server))
                       (format "Say yes to %s? " (parley--get question :server)))
                     (append (if asks '(("Send" . "accept")) '(("Yes" . "accept")))
                             (parley--ways question t)
                             (parley--review fields)))))
        (cond
         ((integerp chosen)
          (condition-case nil
              (aset values chosen (parley--read-field form chosen (aref fields chosen) (aref values chosen)))
            (quit nil)))
         ((equal chosen "accept")
          (let ((refused (parley--answer question "accept" :values (vconcat (mapcar #'parley--encode values))))
                (problems (make-vector (length fields) nil)))
            (unless (eq refused t)
              (mapc (lambda (p) (aset problems (plist-get p :field) (plist-get p :problem)))
                    (plist-get refused :problems)))
            (setf (parley-question-problems question) problems)))
         (t (parley--answer question chosen)))))))

(provide 'parley-form)
;;; parley-form.el ends here
